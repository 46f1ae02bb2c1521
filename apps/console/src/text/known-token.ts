import type { MarkedToken, Token } from 'marked';

const TYPES: ReadonlySet<string> = new Set<MarkedToken['type']>([
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

/** No extension is in use, so there are no others; if ever there are, they are shown as written. */
export function isKnown(token: Token): token is MarkedToken {
  return TYPES.has(token.type);
}
