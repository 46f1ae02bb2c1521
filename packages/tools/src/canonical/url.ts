import { quote, spellEscapes } from '@palyra/kernel';
import { type Host, readHost } from './host.ts';
import { type Reading, type Unreadable, read, unreadable } from './reading.ts';
import { findUnseen } from './unseen.ts';
import { problemOfUrlPath } from './url-path.ts';

export const MAX_URL_LENGTH = 4096;

/** An address on the web, taken apart once. */
export interface WebAddress {
  /** In its one spelling: this text is shown and fetched. */
  readonly url: string;
  readonly scheme: 'http' | 'https';
  readonly host: Host;
  readonly port: number;
  readonly path: string;
}

/**
 * Contract: `readUrl(address.url)` gives the same address. The fragment is dropped, since nobody
 * sends it; the query stays in the text and is nothing that rules speak of.
 */
export function readUrl(text: string): Reading<WebAddress> {
  const problem = problemOfText(text);
  if (problem !== undefined) return problem;
  const parsed = URL.parse(text);
  if (parsed === null) {
    return unreadable(`is no address: ${quote(text)}`, 'write it as `https://example.com/path`');
  }
  const host = readHost(parsed.hostname);
  if (host.kind === 'unreadable') return host;
  return problemOfParts(text, parsed) ?? read(addressOf(parsed, host.value));
}

const START = /^https?:\/\/(?=[^/])/i;
/** Everything up to the path, the query or the fragment. */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** Before anything is parsed: what the URL standard would silently drop or put right. */
function problemOfText(text: string): Unreadable | undefined {
  if (text.length > MAX_URL_LENGTH) {
    return unreadable(
      `is longer than ${MAX_URL_LENGTH} characters`,
      'send long values in the body',
    );
  }
  const unseen = findUnseen(text);
  if (unseen !== undefined) {
    return unreadable(`holds ${unseen}, which nobody can see`, 'leave that character out');
  }
  if (/\s/u.test(text)) return unreadable('holds a space', 'write it as `%20`');
  if (text.includes('\\')) return unreadable('holds a backslash', 'separate with `/`');
  if (!START.test(text)) {
    return unreadable('is not of the web', 'start it with `https://` or `http://`, and a host');
  }
  if (!authorityOf(text).includes('@')) return undefined;
  return unreadable('names a user before the host', 'leave out everything before the `@`, and it');
}

function problemOfParts(text: string, parsed: URL): Unreadable | undefined {
  if (parsed.port === '0') return unreadable('has the port 0', 'leave the port out');
  const asWritten = text.slice(authorityOf(text).length).split(/[?#]/u)[0] ?? '';
  return problemOfUrlPath(asWritten) ?? problemOfUrlPath(parsed.pathname);
}

function authorityOf(text: string): string {
  return AUTHORITY.exec(text)?.[0] ?? '';
}

function addressOf(parsed: URL, host: Host): WebAddress {
  const scheme = parsed.protocol === 'https:' ? 'https' : 'http';
  const path = spellEscapes(parsed.pathname);
  const bracketed = host.name.includes(':') ? `[${host.name}]` : host.name;
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  return {
    url: `${scheme}://${bracketed}${port}${path}${spellEscapes(parsed.search)}`,
    scheme,
    host,
    port: parsed.port === '' ? DEFAULT_PORTS[scheme] : Number(parsed.port),
    path,
  };
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
