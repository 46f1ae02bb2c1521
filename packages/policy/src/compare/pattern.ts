import type { Expression } from './expression.ts';

type Pattern = NonNullable<Expression['pattern']>;

/** Whether `like` holds, as Cedar says it: a wildcard stands for any text, also for none. */
export function matches(text: string, pattern: Pattern): boolean {
  const [first = '', ...rest] = piecesOf(pattern);
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The texts around its wildcards: one more than there are of those. */
function piecesOf(pattern: Pattern): readonly string[] {
  const pieces = [''];
  for (const part of pattern) {
    if (part === undefined) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${part}`);
  }
  return pieces;
}
