import { quote } from '@palyra/kernel';
import { type Reading, type Unreadable, read, unreadable } from './reading.ts';

export const MAX_HEADERS = 64;

export type Header = { readonly name: string; readonly value: string };

/** Lower case, each name once, sorted: the order of different headers means nothing. */
export function readHeaders(headers: readonly Header[]): Reading<Header[]> {
  const problem = headers.map((header) => problemOf(header)).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  const canonical = headers
    .map(({ name, value }) => ({ name: name.toLowerCase(), value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const twice = canonical.find(({ name }, place) => canonical[place + 1]?.name === name);
  if (twice === undefined) return read(canonical);
  return unreadable(`name ${quote(twice.name)} twice`, 'join the values with `, ` in one header');
}

/** No underscore: some servers take it for a dash, and then two names are one. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i;
const VALUE = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

function problemOf({ name, value }: Header): Unreadable | undefined {
  if (!NAME.test(name)) {
    return unreadable(`hold ${quote(name)}, which is no name`, 'letters, digits and dashes');
  }
  const instead = insteadOf(name.toLowerCase());
  if (instead !== undefined) {
    return unreadable(`must not name ${quote(name)}`, instead);
  }
  if (VALUE.test(value)) return undefined;
  return unreadable(
    `give ${quote(name)} a value that is not plain`,
    'printable ascii on one line, without spaces around it',
  );
}

function insteadOf(name: string): string | undefined {
  const family = RESERVED_FAMILIES.find(([start]) => name.startsWith(start));
  return RESERVED.get(name) ?? family?.[1];
}

const FRAMING = 'leave it out; the gateway frames the request itself';
const TARGET = 'put host and path into `url`; what is asked must be what is judged';
const SECRET =
  'leave it out; what stands in a call stands in the journal, and there is no vault yet';
const METHOD = 'put the method into `method`; what is asked must be what is judged';

/** What would make the server see another request than the rules have seen; and what nobody should write down. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['connection', FRAMING],
  ['content-length', FRAMING],
  ['expect', FRAMING],
  ['keep-alive', FRAMING],
  ['proxy-authenticate', FRAMING],
  ['proxy-authorization', FRAMING],
  ['proxy-connection', FRAMING],
  ['te', FRAMING],
  ['trailer', FRAMING],
  ['transfer-encoding', FRAMING],
  ['upgrade', FRAMING],
  ['forwarded', TARGET],
  ['host', TARGET],
  ['x-host', TARGET],
  ['x-method-override', METHOD],
  ['api-key', SECRET],
  ['authorization', SECRET],
  ['cookie', SECRET],
  ['x-access-token', SECRET],
  ['x-api-key', SECRET],
  ['x-auth-token', SECRET],
]);

/** Proxies know many of each. */
const RESERVED_FAMILIES: readonly (readonly [string, string])[] = [
  ['x-envoy-original-', TARGET],
  ['x-forwarded', TARGET],
  ['x-original-', TARGET],
  ['x-override-', TARGET],
  ['x-rewrite-', TARGET],
  ['x-http-method', METHOD],
];
