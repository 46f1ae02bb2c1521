/** What is being typed. The cursor counts UTF-16 units and never stands inside a character. */
export interface Draft {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY: Draft = { text: '', cursor: 0 };

/** A paste may be anything; what the gateway takes is less than this. */
export const MAX_DRAFT = 200_000;

export function draftOf(text: string): Draft {
  return { text, cursor: text.length };
}

/** Contract: what does not fit is left out. */
export function insert({ text, cursor }: Draft, more: string): Draft {
  const fitting = typed(more).slice(0, Math.max(MAX_DRAFT - text.length, 0));
  const fits = fitting.isWellFormed() ? fitting : fitting.slice(0, -1);
  return {
    text: text.slice(0, cursor) + fits + text.slice(cursor),
    cursor: cursor + fits.length,
  };
}

export function eraseBack(draft: Draft): Draft {
  return cutOut(draft, before(draft), draft.cursor);
}

export function eraseAhead(draft: Draft): Draft {
  return cutOut(draft, draft.cursor, after(draft));
}

export function eraseWord(draft: Draft): Draft {
  return cutOut(draft, wordBefore(draft), draft.cursor);
}

export function eraseToLineStart(draft: Draft): Draft {
  return cutOut(draft, lineStart(draft), draft.cursor);
}

export function eraseToLineEnd(draft: Draft): Draft {
  return cutOut(draft, draft.cursor, lineEnd(draft));
}

export function goLeft(draft: Draft): Draft {
  return { ...draft, cursor: before(draft) };
}

export function goRight(draft: Draft): Draft {
  return { ...draft, cursor: after(draft) };
}

export function goWordLeft(draft: Draft): Draft {
  return { ...draft, cursor: wordBefore(draft) };
}

export function goWordRight(draft: Draft): Draft {
  const ahead = draft.text.slice(draft.cursor, draft.cursor + NEAR);
  const [word = ''] = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(ahead) ?? [];
  return { ...draft, cursor: draft.cursor + word.length };
}

export function goLineStart(draft: Draft): Draft {
  return { ...draft, cursor: lineStart(draft) };
}

export function goLineEnd(draft: Draft): Draft {
  return { ...draft, cursor: lineEnd(draft) };
}

/** Contract: `undefined` on the first line, where there is nothing above. */
export function goUp(draft: Draft): Draft | undefined {
  const start = lineStart(draft);
  if (start === 0) return undefined;
  const above = lineStart({ ...draft, cursor: start - 1 });
  return { ...draft, cursor: Math.min(above + draft.cursor - start, start - 1) };
}

/** Contract: `undefined` on the last line. */
export function goDown(draft: Draft): Draft | undefined {
  const end = lineEnd(draft);
  if (end === draft.text.length) return undefined;
  const below = end + 1;
  const belowEnd = lineEnd({ ...draft, cursor: below });
  return { ...draft, cursor: Math.min(below + draft.cursor - lineStart(draft), belowEnd) };
}

/** Newlines in one form, and nothing that only a terminal would obey. */
function typed(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/[\p{Cc}--\n]/gv, '');
}

function cutOut({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** No character that people write is longer, and a draft is too long to be gone through at each key. */
const NEAR = 200;

function before({ text, cursor }: Draft): number {
  const near = text.slice(Math.max(cursor - NEAR, 0), cursor);
  const last = [...new Intl.Segmenter().segment(near)].at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function after({ text, cursor }: Draft): number {
  const [next] = new Intl.Segmenter().segment(text.slice(cursor, cursor + NEAR));
  return cursor + (next?.segment.length ?? 0);
}

function wordBefore({ text, cursor }: Draft): number {
  const near = text.slice(Math.max(cursor - NEAR, 0), cursor);
  const [word = ''] = /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(near) ?? [];
  return cursor - word.length;
}

function lineStart({ text, cursor }: Draft): number {
  return text.slice(0, cursor).lastIndexOf('\n') + 1;
}

function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}
