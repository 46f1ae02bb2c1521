import { type Edit, hostFor } from './edit.ts';
import { PLAIN_COMMAND, type ProbedHost, type Situation } from './situation.ts';

type Literal = string | number;

/** Makes the set at `path` of the context hold these and nothing else. */
export function filling(path: string, values: readonly Literal[]): Edit | undefined {
  const [head = '', field = ''] = path.split('.');
  const texts = values.map(String);
  const says = values.length === 0 ? `no ${head}` : `${WORDS.get(path) ?? head} ${texts.join(' ')}`;
  switch (head) {
    case 'taint':
    case 'secrets':
      return { says, apply: (one) => ({ ...one, [head]: texts }) };
    case 'reads':
    case 'writes':
      if (field !== 'all' && values.length > 0) return undefined;
      return { says, apply: (one) => ({ ...one, [head]: texts }) };
    case 'hosts':
      return hostsEdit(field, values, says);
    case 'process':
      return field === 'arguments'
        ? { says, apply: (one) => withArguments(one, texts) }
        : undefined;
    default:
      return undefined;
  }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['hosts.all', 'host'],
  ['hosts.ports', 'port'],
  ['hosts.ranges', 'host in range'],
  ['process.arguments', 'arguments'],
]);

function withArguments(one: Situation, words: readonly string[]): Situation {
  return { ...one, process: { ...(one.process ?? PLAIN_COMMAND), arguments: words } };
}

function hostsEdit(field: string, values: readonly Literal[], says: string): Edit | undefined {
  if (values.length === 0) return { says, apply: (one) => ({ ...one, hosts: [] }) };
  switch (field) {
    case 'all':
    case 'ranges': {
      const named = values.map((value) => hostFor(field, String(value)));
      return { says, apply: (one) => ({ ...one, hosts: paired(named, one.hosts) }) };
    }
    case 'ports': {
      const ports = values.map((port) => hostFor(field, Number(port)));
      const named = (hosts: readonly ProbedHost[]) => (hosts.length > 0 ? hosts : ports);
      return { says, apply: (one) => ({ ...one, hosts: paired(named(one.hosts), ports) }) };
    }
    default:
      return undefined;
  }
}

/** The names of some with the ports of others, so that each of both occurs. */
function paired(
  named: readonly ProbedHost[],
  ported: readonly ProbedHost[],
): readonly ProbedHost[] {
  if (ported.length === 0) return named;
  const places = Array.from({ length: Math.max(named.length, ported.length) }, (_, place) => place);
  return places.flatMap((place) => {
    const host = named[place % named.length];
    const port = ported[place % ported.length]?.port;
    return host === undefined || port === undefined ? [] : [{ ...host, port }];
  });
}
