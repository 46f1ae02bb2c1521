import { wordsOf } from './command-words.ts';
import {
  type Command,
  type Exchange,
  PLAIN_COMMAND,
  PLAIN_EXCHANGE,
  type ProbedHost,
  type Situation,
} from './situation.ts';

/** One circumstance that a rule speaks of, made so. */
export interface Edit {
  /** For people: `tier C`, `git push`. */
  readonly says: string;
  readonly apply: (situation: Situation) => Situation;
}

/** Makes the attribute at `path` of the context equal to a text, a number, or the id of an entity. */
export function setting(path: string, value: string | number): Edit | undefined {
  const [head = '', field = ''] = path.split('.');
  const says = `${path.replaceAll('.', ' ')} ${value}`;
  if (head === 'process') return commandEdit(field, value);
  if (head === 'http') return exchangeEdit(field, value);
  if (head === 'time') {
    return { says, apply: (one) => ({ ...one, time: { ...one.time, [field]: value } }) };
  }
  if (field !== '' || !SETTABLE.has(head)) return undefined;
  return { says, apply: (one) => ({ ...one, [head]: value }) };
}

const SETTABLE = new Set(
  'channel device agent session run workspace skill tier budget argumentBytes bodyBytes argumentsSha256'.split(
    ' ',
  ),
);

/** Puts a text, a number, or the id of an entity into the set at `path` of the context. */
export function adding(path: string, value: string | number): Edit | undefined {
  const [head = '', field = ''] = path.split('.');
  const text = String(value);
  switch (head) {
    case 'taint':
    case 'secrets':
      return {
        says: `${head} ${text}`,
        apply: (one) => ({ ...one, [head]: [...one[head], text] }),
      };
    case 'reads':
    case 'writes':
      return pathEdit(head, field, text);
    case 'hosts':
      return hostEdit(field, value);
    case 'process':
      return commandEdit(field, value);
    default:
      return undefined;
  }
}

function pathEdit(head: 'reads' | 'writes', field: string, text: string): Edit {
  const path = field === 'extensions' ? `unnamed${text === '' ? '' : `.${text}`}` : text;
  const says = `${head} ${path}`;
  // What all are under holds of all of them only when there are no others.
  const isAlone = field === 'all' || field === 'allUnder';
  return { says, apply: (one) => ({ ...one, [head]: isAlone ? [path] : [...one[head], path] }) };
}

const HTTPS = 443;
/** One address in each range of the schema. */
const IN_RANGE = new Map([
  ['name', 'unnamed.example'],
  ['public', '8.8.4.4'],
  ['private', '10.0.0.7'],
  ['loopback', '127.0.0.1'],
  ['link_local', '169.254.7.7'],
  ['metadata', '169.254.169.254'],
  ['translated', '64:ff9b::a00:7'],
  ['special', '240.0.0.1'],
]);

function hostEdit(field: string, value: string | number): Edit {
  const host = hostFor(field, value);
  if (typeof value === 'number') return portEdit(value, host);
  const isAlone = field === 'all' || field === 'allUnder';
  const port = host.port === HTTPS ? '' : `:${host.port}`;
  return {
    says: `host ${host.name}${port}`,
    apply: (one) => ({ ...one, hosts: isAlone ? [host] : [...one.hosts, host] }),
  };
}

/** At the one host that there is, or at one more: what else a rule says of that host stays true. */
function portEdit(port: number, another: ProbedHost): Edit {
  return {
    says: `port ${port}`,
    apply: (one) => {
      const [host, ...others] = one.hosts;
      if (host === undefined || others.length > 0) {
        return { ...one, hosts: [...one.hosts, another] };
      }
      return { ...one, hosts: [{ ...host, port }] };
    },
  };
}

export function hostFor(field: string, value: string | number): ProbedHost {
  if (typeof value === 'number') return { name: 'unnamed.example', port: value, range: 'name' };
  if (field === 'ranges') {
    return { name: IN_RANGE.get(value) ?? 'unnamed.example', port: HTTPS, range: value };
  }
  return { name: value, port: HTTPS, range: rangeOf(value) };
}

/** As exact as a question needs it: an address that a rule names is judged by the rule that names it. */
function rangeOf(name: string): string {
  const known = [...IN_RANGE].find(([, address]) => address === name);
  if (known !== undefined) return known[0];
  return /^[\d.]+$|:/.test(name) ? 'public' : 'name';
}

function commandEdit(field: string, value: string | number): Edit | undefined {
  const change = commandChange(field, value);
  if (change === undefined) return undefined;
  return {
    says: field === 'commandLine' ? `command ${value}` : `${field} ${value}`,
    apply: (one) => ({ ...one, process: change(one.process ?? PLAIN_COMMAND) }),
  };
}

type CommandChange = (command: Command) => Command;

function commandChange(field: string, value: string | number): CommandChange | undefined {
  if (typeof value === 'number') {
    const count = Math.max(0, Math.min(value, MAX_COUNT));
    return (one) => ({
      ...one,
      arguments: Array.from({ length: count }, (_, at) => one.arguments[at] ?? 'x'),
    });
  }
  switch (field) {
    case 'name':
      return (one) => (nameOf(one) === value ? one : { ...one, executable: value });
    case 'executable':
      return (one) => ({ ...one, executable: value });
    case 'first':
      return (one) => ({ ...one, arguments: [value, ...one.arguments.slice(1)] });
    case 'arguments':
      return (one) => ({ ...one, arguments: [...one.arguments, value] });
    case 'directory':
      return (one) => ({ ...one, directory: value });
    case 'environment':
      return (one) => ({ ...one, environment: [...(one.environment ?? []), value] });
    case 'commandLine': {
      const [executable, ...words] = wordsOf(value) ?? [];
      if (executable === undefined) return undefined;
      return (one) => ({ ...one, executable, arguments: words });
    }
    default:
      return undefined;
  }
}

function nameOf({ executable }: Command): string {
  return executable.slice(executable.lastIndexOf('/') + 1);
}

/** Of arguments in a question; a rule about more than this many is left to doubt. */
const MAX_COUNT = 64;

function exchangeEdit(field: string, value: string | number): Edit | undefined {
  if (!Object.hasOwn(PLAIN_EXCHANGE, field)) return undefined;
  const change = (one: Exchange): Exchange => ({ ...one, [field]: value });
  return {
    says: `${field} ${value}`,
    apply: (one) => {
      const http = change(one.http ?? exchangeWith(one.hosts));
      return { ...one, http, hosts: reachedBy(http, one.hosts) };
    },
  };
}

/** A request goes to what the call names, if that is one. */
function exchangeWith([host, ...others]: readonly ProbedHost[]): Exchange {
  if (host === undefined || others.length > 0) return PLAIN_EXCHANGE;
  return { ...PLAIN_EXCHANGE, host: host.name, port: host.port };
}

/** A request is never sent to a host, or a port of it, that the call does not name. */
function reachedBy({ host, port }: Exchange, hosts: readonly ProbedHost[]): readonly ProbedHost[] {
  if (!hosts.some(({ name }) => name === host)) return [{ ...hostFor('all', host), port }];
  return hosts.map((one) => (one.name === host ? { ...one, port } : one));
}

/** No rule names it, so it stands for all that no rule names. */
const ANY_WORKSPACE = '/unnamed';

/** Makes an attribute that may be absent present, all else being plain. */
export function stating(name: string): Edit | undefined {
  if (name === 'process') {
    return {
      says: 'a command',
      apply: (one) => ({ ...one, process: one.process ?? PLAIN_COMMAND }),
    };
  }
  if (name === 'http') {
    return {
      says: 'a request',
      apply: (one) => ({ ...one, http: one.http ?? exchangeWith(one.hosts) }),
    };
  }
  if (name === 'workspace') {
    return { says: 'a workspace', apply: (one) => ({ workspace: ANY_WORKSPACE, ...one }) };
  }
  return undefined;
}

/** Makes an attribute that may be absent absent. */
export function omitting(name: string): Edit | undefined {
  switch (name) {
    case 'process':
      return { says: 'no command', apply: withoutCommand };
    case 'http':
      return { says: 'no request', apply: withoutExchange };
    case 'workspace':
      return { says: 'no workspace', apply: withoutWorkspace };
    default:
      return undefined;
  }
}

function withoutCommand(situation: Situation): Situation {
  const { process: _, ...others } = situation;
  return others;
}

function withoutWorkspace(situation: Situation): Situation {
  const { workspace: _, ...others } = situation;
  return others;
}

function withoutExchange(situation: Situation): Situation {
  const { http: _, ...others } = situation;
  return others;
}
