import { visibleText } from '@palyra/kernel';
import { type MarkedToken, type Token, type Tokens, lexer } from 'marked';
import type { Tone } from '../terminal.ts';

/** A piece of a line in one look. INVARIANT: its text is safe to show. */
export interface Span {
  readonly text: string;
  readonly tones: readonly Tone[];
}

/** What a model wrote, as it is laid out. Nothing in it is obeyed: links are text, HTML is text. */
export type Block =
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly spans: readonly Span[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'table'; readonly header: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'rule' };

export interface ListItem {
  readonly mark: string;
  readonly blocks: readonly Block[];
}

export type Cell = readonly Span[];
export type Row = readonly Cell[];

/**
 * What is longer, or nested deeper than anybody reads, is shown as it is written: taking it apart
 * would take seconds.
 */
export const MAX_MARKDOWN = 10 * 1024;
const NESTED = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){24}/m;
const MAX_DEPTH = 12;

export function blocksOf(text: string): readonly Block[] {
  const tokens = lexed(text);
  return tokens === undefined ? [plain(text)] : toBlocks(tokens, 0);
}

/**
 * How much of a text that still grows is done: its last block may go on, or turn into another kind,
 * with the next word. What comes before it stays as it is.
 */
export function settledLength(text: string): number {
  const tokens = lexed(text) ?? [];
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  return tokens.slice(0, Math.max(last, 0)).reduce((sum, { raw }) => sum + raw.length, 0);
}

/** The line that opens the code with which a text ends, when nothing has closed it; else empty. */
export function openFence(text: string): string {
  const last = lexed(text)?.at(-1);
  const [first = '', ...lines] = last?.type === 'code' ? last.raw.trimEnd().split('\n') : [];
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(first)?.[1];
  if (fence === undefined || lines.at(-1)?.trim().startsWith(fence) === true) return '';
  return first.slice(0, MAX_FENCE);
}

const MAX_FENCE = 100;

/** Contract: `undefined` for what cannot be taken apart. */
function lexed(text: string): readonly Token[] | undefined {
  if (text.length > MAX_MARKDOWN || NESTED.test(text)) return undefined;
  try {
    return lexer(text);
  } catch {
    return undefined;
  }
}

function toBlocks(tokens: readonly Token[], depth: number): readonly Block[] {
  return tokens.flatMap((token) => {
    const block = isKnown(token) ? toBlock(token, depth) : plain(token.raw);
    return block === undefined ? [] : [block];
  });
}

function toBlock(token: MarkedToken, depth: number): Block | undefined {
  if (depth > MAX_DEPTH) return plain(token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return undefined;
    case 'hr':
      return { kind: 'rule' };
    case 'heading':
      return { kind: 'heading', depth: token.depth, spans: toSpans(token.tokens, []) };
    case 'code':
      return { kind: 'code', language: shown(token.lang ?? ''), text: shownLines(token.text) };
    case 'list':
      return {
        kind: 'list',
        items: token.items.map((item, place) => toItem(token, item, { place, depth })),
      };
    case 'blockquote':
      return { kind: 'quote', blocks: toBlocks(token.tokens, depth + 1) };
    case 'table':
      return {
        kind: 'table',
        header: token.header.map(toCell),
        rows: token.rows.map((row) => row.map(toCell)),
      };
    case 'paragraph':
      return { kind: 'paragraph', spans: toSpans(token.tokens, []) };
    case 'text':
      return { kind: 'paragraph', spans: toSpans(token.tokens ?? [token], []) };
    case 'html':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      return plain(token.raw);
  }
}

interface Position {
  readonly place: number;
  readonly depth: number;
}

function toItem(list: Tokens.List, item: Tokens.ListItem, { place, depth }: Position): ListItem {
  const number = list.ordered ? `${(list.start === '' ? 1 : list.start) + place}.` : '•';
  const task = item.task ? (item.checked === true ? ' [x]' : ' [ ]') : '';
  return { mark: `${number}${task}`, blocks: toBlocks(item.tokens, depth + 1) };
}

function toCell({ tokens }: Tokens.TableCell): Cell {
  return toSpans(tokens, []);
}

function plain(text: string): Block {
  return { kind: 'paragraph', spans: [{ text: shownLines(text.trimEnd()), tones: [] }] };
}

function toSpans(tokens: readonly Token[], tones: readonly Tone[]): readonly Span[] {
  return tokens.flatMap((token) =>
    isKnown(token) ? inlineSpans(token, tones) : [{ text: shownLines(token.raw), tones }],
  );
}

function inlineSpans(token: MarkedToken, tones: readonly Tone[]): readonly Span[] {
  switch (token.type) {
    case 'strong':
      return toSpans(token.tokens, [...tones, 'strong']);
    case 'em':
      return toSpans(token.tokens, [...tones, 'emphasis']);
    case 'codespan':
      return [{ text: shown(token.text), tones: [...tones, 'accent'] }];
    case 'link':
      return linkSpans(token, tones);
    case 'image':
      return [{ text: `image: ${shown(token.text)} (${shown(token.href)})`, tones }];
    case 'br':
      return [{ text: '\n', tones }];
    case 'text':
      return token.tokens === undefined
        ? [{ text: shownLines(token.text), tones }]
        : toSpans(token.tokens, tones);
    case 'escape':
      return [{ text: shown(token.text), tones }];
    case 'del':
    case 'html':
    case 'blockquote':
    case 'checkbox':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
  }
  return [{ text: shownLines(token.raw), tones }];
}

/** The address is always there to read: words alone would hide where a link leads. */
function linkSpans(link: Tokens.Link, tones: readonly Tone[]): readonly Span[] {
  const address = shown(link.href);
  const words = toSpans(link.tokens, [...tones, 'accent']);
  const isBare = words.map(({ text }) => text).join('') === address;
  return isBare ? words : [...words, { text: ` (${address})`, tones: [...tones, 'quiet'] }];
}

// INVARIANT: the only two doors from a model's words to a span. The lexer turns `&#27;` into an
// escape character, so that cleaning the text before it is taken apart would not do.
function shown(text: string): string {
  return visibleText(text, 'one-line');
}

function shownLines(text: string): string {
  return visibleText(text).replaceAll('\t', '    ');
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}
