import { PalyraError, quote } from '@palyra/kernel';
import { type Host, hostText, readHost, readName, readPort } from './canonical-host.ts';
import { matchesPath, type PathPattern, readPathPattern } from './path-rule.ts';

/** Who is meant. `below` is every name under the suffix, never the suffix itself. */
export type HostPattern = Host | { readonly kind: 'below'; readonly suffix: string };

/** Which requests are meant; what is absent is not looked at. */
export interface RequestRule {
  readonly methods?: readonly string[];
  readonly path?: PathPattern;
}

/** One entry of an allowlist. `HOST[:PORT[,PORT]]`, `*.SUFFIX`, `tcp:HOST:PORT`, `GET,HEAD HOST/v1/**`. */
export interface HostRule {
  /** The entry in its one spelling: two entries with one text are one entry. */
  readonly text: string;
  readonly host: HostPattern;
  readonly ports: readonly number[];
  /** `web`: TLS that names its host, or HTTP. `tcp`: whatever comes. */
  readonly speaks: 'web' | 'tcp';
  /** Absent: every request, unseen. Present: requests are read, also inside TLS. */
  readonly requests?: RequestRule;
}

export type HostRules = readonly HostRule[];

export const MAX_RULES = 256;
export const MAX_RULE_LENGTH = 1024;
export const MAX_PORTS = 16;
export const DEFAULT_PORTS: readonly number[] = [80, 443];

/** Contract: INVALID_INPUT for an entry that is malformed, or that another one contradicts. */
export function parseHostRules(entries: readonly string[]): HostRules {
  if (entries.length > MAX_RULES) {
    throw refused(
      `there are more than ${MAX_RULES} entries`,
      'use `*.SUFFIX` for hosts of one site',
    );
  }
  const rules = new Map(entries.map(parseHostRule).map((rule) => [rule.text, rule]));
  const all = [...rules.values()];
  for (const rule of all) {
    const other = all.find((each) => contradicts(rule, each));
    if (other !== undefined) throw contradiction(rule, other);
  }
  return Object.freeze(all);
}

export function parseHostRule(entry: string): HostRule {
  if (entry.length > MAX_RULE_LENGTH) {
    throw refused(`${quote(entry)} is too long`, `${MAX_RULE_LENGTH} characters at most`);
  }
  const [, methods, tcp, host = '', ports, path] = ENTRY.exec(entry) ?? [];
  if (host === '') throw refused(`${quote(entry)} is no entry`, EXAMPLES);
  const rule = {
    host: readPattern(host),
    ports: ports === undefined ? DEFAULT_PORTS : readPorts(ports),
    speaks: tcp === undefined ? 'web' : 'tcp',
  } as const;
  const requests = readRequests(methods, path);
  if (rule.speaks === 'tcp' && (requests !== undefined || ports === undefined)) {
    throw refused(`${quote(entry)} is no entry for plain TCP`, 'write it as `tcp:HOST:PORT`');
  }
  const whole = requests === undefined ? rule : { ...rule, requests };
  return Object.freeze({ ...whole, text: textOf(whole) });
}

export function matchesRequest(
  { methods, path: pattern }: RequestRule,
  method: string,
  path: string | undefined,
): boolean {
  if (methods !== undefined && !methods.includes(method)) return false;
  return pattern === undefined || matchesPath(pattern, path);
}

const ENTRY =
  /^(?:([A-Z]+(?:,[A-Z]+)*) )?(tcp:)?(\[[^\]\s]*\]|[^:/[\]\s]+)(?::(\d+(?:,\d+)*))?(\/\S*)?$/;
const EXAMPLES =
  'write it as `HOST`, `HOST:PORT`, `*.SUFFIX`, `tcp:HOST:PORT` or `GET,HEAD HOST/v1/**`';

function readPattern(text: string): HostPattern {
  if (!text.startsWith('*')) {
    const host = readHost(text);
    if (host !== undefined) return host;
    throw refused(
      `${quote(text)} is no host`,
      'names are ASCII (`xn--` for others), addresses whole',
    );
  }
  const suffix = text.startsWith('*.') ? readName(text.slice(2)) : undefined;
  if (suffix === undefined) {
    throw refused(`${quote(text)} is no host`, 'a star stands alone, first: `*.SUFFIX`');
  }
  if (!suffix.includes('.')) {
    throw refused(`${quote(text)} is too wide`, 'a suffix has two names at least: `*.example.com`');
  }
  return { kind: 'below', suffix };
}

function readPorts(text: string): readonly number[] {
  const ports = text.split(',').map((digits) => {
    const port = readPort(digits);
    if (port === undefined) throw refused(`${quote(digits)} is no port`, 'ports are 1 to 65535');
    return port;
  });
  if (ports.length > MAX_PORTS) {
    throw refused(`${quote(text)} are too many ports`, `${MAX_PORTS} at most in one entry`);
  }
  return [...new Set(ports)].toSorted((left, right) => left - right);
}

function readRequests(
  methods: string | undefined,
  path: string | undefined,
): RequestRule | undefined {
  const pattern = path === undefined || path === '/**' ? undefined : readPathPattern(path);
  if (path !== undefined && path !== '/**' && pattern === undefined) {
    throw refused(
      `${quote(path)} is no pattern of paths`,
      '`*` stands for one whole segment, `**` at the end for all that follow, and nothing is encoded that need not be',
    );
  }
  if (methods === undefined && pattern === undefined) return undefined;
  return {
    ...(methods === undefined ? {} : { methods: [...new Set(methods.split(','))].toSorted() }),
    ...(pattern === undefined ? {} : { path: pattern }),
  };
}

function textOf({ host, ports, speaks, requests }: Omit<HostRule, 'text'>): string {
  const methods = requests?.methods === undefined ? '' : `${requests.methods.join(',')} `;
  const scheme = speaks === 'tcp' ? 'tcp:' : '';
  const portText = ports.join() === DEFAULT_PORTS.join() ? '' : `:${ports.join(',')}`;
  const path = requests?.path === undefined ? '' : `/${requests.path.join('/')}`;
  return `${methods}${scheme}${patternText(host)}${speaks === 'tcp' ? `:${ports.join(',')}` : portText}${path}`;
}

function patternText(host: HostPattern): string {
  return host.kind === 'below' ? `*.${host.suffix}` : hostText(host);
}

/** One host and port is either open, read, or plain: of two, nobody could say which holds. */
function contradicts(one: HostRule, other: HostRule): boolean {
  if (patternText(one.host) !== patternText(other.host)) return false;
  if (!one.ports.some((port) => other.ports.includes(port))) return false;
  const isRead = one.requests !== undefined;
  return one.speaks !== other.speaks || isRead !== (other.requests !== undefined);
}

function contradiction(one: HostRule, other: HostRule): PalyraError {
  return refused(
    `${quote(one.text)} and ${quote(other.text)} contradict one another`,
    'leave one out: a host and port is open, limited to some requests, or plain TCP',
  );
}

function refused(reason: string, help: string): PalyraError {
  return new PalyraError('INVALID_INPUT', `egress: ${reason}`, { help });
}
