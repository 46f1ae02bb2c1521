import { isIP } from 'node:net';
import type { Rule } from '../model.ts';
import { hostEntity } from '../request/connection.ts';
import { dialledProblem, hostFacts } from '../request/hosts.ts';
import { comparedWith } from './compared-with.ts';
import type { Resource } from './target.ts';

const HTTPS = 443;
const HIGHEST = 65_535;
/** So many that rules name are asked about, of each host; the rest is left to doubt. */
const MAX_PORTS = 6;
const MAX_NAMES = 16;

/**
 * Each host that rules name, and one for all others, at each port that they name: as one that the call
 * names, and in every way in which it does not, which rules may tell apart.
 */
export function hostTargets(
  named: ReadonlySet<string>,
  rules: readonly Rule[],
): readonly Resource[] {
  const ports = portsFor(rules);
  const names = new Set([...named, ...rules.flatMap(namesIn)].slice(0, MAX_NAMES));
  const hosts = [...names].map((name) => ({ name, label: name }));
  const all = [...hosts, { name: 'unnamed.example', label: 'any other host' }];
  return CALLS.flatMap((call) =>
    all.flatMap((host) => ports.map((port) => hostTarget(host, port, call))),
  );
}

interface Port {
  readonly port: number;
  readonly says: string;
}

/** One stands for all that no rule names. */
function portsFor(rules: readonly Rule[]): readonly Port[] {
  const named = [...new Set([HTTPS, ...rules.flatMap(portsIn)])];
  const other = Array.from({ length: named.length + 1 }, (_, place) => LOWEST + place).find(
    (port) => !named.includes(port),
  );
  return [
    ...named.slice(0, MAX_PORTS).map((port) => ({ port, says: port === HTTPS ? '' : `:${port}` })),
    { port: other ?? LOWEST, says: ', at any other port' },
  ];
}

const LOWEST = 2;

interface Call {
  readonly says: string;
  /** Whom it names that is to connect there. */
  readonly names: (name: string, port: number) => readonly Named[];
}

interface Named {
  readonly name: string;
  readonly port: number;
}

/** No rule names it, and it is not the one that stands for all others. */
const ANOTHER = 'another-unnamed.example';

const CALLS: readonly Call[] = [
  { says: ', which the call does not name', names: () => [] },
  {
    says: ', of which the call names another port',
    names: (name, port) => [{ name, port: port === 1 ? HIGHEST : port - 1 }],
  },
  {
    says: ', where the call names another host',
    names: (_, port) => [{ name: ANOTHER, port }],
  },
  { says: '', names: (name, port) => [{ name, port }] },
];

interface Host {
  readonly name: string;
  readonly label: string;
}

function hostTarget({ name, label }: Host, { port, says: at }: Port, call: Call): Resource {
  const { uid, attrs } = hostEntity({ host: name, port, range: 'public', isListed: false });
  const place = `${label}${at}`;
  const words = `${place}${call.says}`;
  return {
    resource: uid,
    label: words,
    family: place,
    capabilities: [],
    attributes: () => attrs,
    known: {
      hosts: hostFacts(
        call.names(name, port).map((one) => ({
          ...one,
          range: isIP(one.name) === 0 ? 'name' : 'public',
        })),
      ),
    },
  };
}

function portsIn(rule: Rule): readonly number[] {
  return comparedWith('resource.port', rule)
    .filter((port) => typeof port === 'number')
    .filter((port) => port >= 0 && port <= HIGHEST);
}

/** One that cannot be a host is none that a call could name. */
function namesIn(rule: Rule): readonly string[] {
  return ['resource.name', 'resource.under']
    .flatMap((attribute) => comparedWith(attribute, rule))
    .filter((name) => typeof name === 'string')
    .filter((name) => dialledProblem(name) === undefined);
}
