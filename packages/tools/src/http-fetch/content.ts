import { MIMEType } from 'node:util';

/** What the body of an answer is. */
export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text' | 'html'; readonly text: string; readonly charset: string }
  | { readonly kind: 'binary' };

export function readContent(type: string | undefined, body: Buffer): Content {
  if (body.length === 0) return { kind: 'empty' };
  const mime = mimeOf(type);
  const kind = mime === undefined ? 'text' : kindOf(mime);
  if (kind === 'binary') return { kind };
  const declared = mime?.params.get('charset') ?? undefined;
  const decoded = decode(body, declared);
  // Without a word about what it is, it is a text when it reads like one.
  if (decoded === undefined || decoded.text.includes('\0')) return { kind: 'binary' };
  if (mime === undefined && decoded.charset === FALLBACK) return { kind: 'binary' };
  return { kind, ...decoded };
}

export function mimeOf(type: string | undefined): MIMEType | undefined {
  if (type === undefined) return undefined;
  try {
    return new MIMEType(type);
  } catch {
    // A server that says nonsense has said nothing.
    return undefined;
  }
}

function kindOf({ essence, type, subtype }: MIMEType): 'text' | 'html' | 'binary' {
  if (HTML.has(essence)) return 'html';
  const isText = type === 'text' || TEXTS.has(essence) || /\+(?:json|xml|yaml)$/.test(subtype);
  return isText ? 'text' : 'binary';
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const TEXTS: ReadonlySet<string> = new Set(
  ['json', 'ld+json', 'x-ndjson', 'ndjson', 'xml', 'xml-dtd', 'javascript', 'x-javascript']
    .concat([
      'ecmascript',
      'yaml',
      'x-yaml',
      'toml',
      'sql',
      'graphql',
      'x-sh',
      'x-www-form-urlencoded',
    ])
    .map((subtype) => `application/${subtype}`),
);

/** What browsers take a page for that is not UTF-8 and does not say what it is. */
const FALLBACK = 'windows-1252';

/** Contract: `undefined` for what the charset that it names cannot be. */
function decode(body: Buffer, declared: string | undefined) {
  const charset = byMark(body) ?? declared;
  if (charset !== undefined) return decodeAs(body, charset);
  return decodeStrictly(body) ?? decodeAs(body, FALLBACK);
}

/** A mark at the start says more than any header. */
function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function decodeStrictly(body: Buffer) {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), charset: 'utf-8' };
  } catch {
    return undefined;
  }
}

function decodeAs(body: Buffer, charset: string) {
  try {
    const decoder = new TextDecoder(charset);
    return { text: decoder.decode(body), charset: decoder.encoding };
  } catch {
    return undefined;
  }
}
