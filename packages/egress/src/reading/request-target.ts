import { readAuthority } from '../canonical-host.ts';

/** Where a request goes: the host as it was written, a port, and what the server is asked for. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly origin: string;
}

const HTTP_PORT = 80;
const ABSOLUTE = /^http:\/\/([^/?#]+)(\/[^#\\]*)?$/i;
const ORIGIN = /^\/[^#\\]*$/;

/** `http://HOST[:PORT]/path`. Contract: `undefined` for any other form. */
export function readAbsoluteTarget(text: string): Target | undefined {
  const [, written = '', origin = '/'] = ABSOLUTE.exec(text) ?? [];
  const authority = readAuthority(written);
  if (authority === undefined) return undefined;
  return { host: authority.host, port: authority.port ?? HTTP_PORT, origin };
}

export function isOriginTarget(text: string): boolean {
  return ORIGIN.test(text);
}

export function pathOf(origin: string): string {
  const query = origin.indexOf('?');
  return query === -1 ? origin : origin.slice(0, query);
}

export function queryOf(origin: string): string {
  return origin.slice(pathOf(origin).length);
}
