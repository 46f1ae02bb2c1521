import { isIP } from 'node:net';
import type { Rule } from '../model.ts';
import { hostEntity } from '../request/connection.ts';
import { dialledProblem, hostFacts } from '../request/hosts.ts';
import { conjunctsOf, pathOf, walk } from './expression.ts';
import { literalsOf } from './literal.ts';
import type { Resource } from './target.ts';

const HTTPS = 443;
const HIGHEST = 65_535;
/** So many that rules name are asked about, of each host; the rest is left to doubt. */
const MAX_PORTS = 8;
const MAX_NAMES = 32;

/** Each host that rules name, and one for all others, at each port that they name. */
export function hostTargets(
  named: ReadonlySet<string>,
  rules: readonly Rule[],
): readonly Resource[] {
  const ports = [...new Set([HTTPS, ...rules.flatMap(portsIn)])].slice(0, MAX_PORTS);
  const names = new Set([...named, ...rules.flatMap(namesIn)].slice(0, MAX_NAMES));
  const hosts = [...names].map((name) => ({ name, label: name }));
  return [...hosts, { name: 'unnamed.example', label: 'any other host' }].flatMap((host) =>
    ports.map((port) => hostTarget(host, port)),
  );
}

interface Host {
  readonly name: string;
  readonly label: string;
}

function hostTarget({ name, label }: Host, port: number): Resource {
  const { uid, attrs } = hostEntity({ host: name, port, range: 'public', isListed: false });
  const words = port === HTTPS ? label : `${label}:${port}`;
  return {
    resource: uid,
    label: words,
    family: words,
    capabilities: [],
    attributes: () => attrs,
    // A call connects to whom it names.
    known: { hosts: hostFacts([{ name, port, range: isIP(name) === 0 ? 'name' : 'public' }]) },
  };
}

function portsIn(rule: Rule): readonly number[] {
  return comparedWith('port', rule)
    .filter((port) => typeof port === 'number')
    .filter((port) => port >= 0 && port <= HIGHEST);
}

/** One that cannot be a host is none that a call could name. */
function namesIn(rule: Rule): readonly string[] {
  return ['name', 'under']
    .flatMap((attribute) => comparedWith(attribute, rule))
    .filter((name) => typeof name === 'string')
    .filter((name) => dialledProblem(name) === undefined);
}

/** What an attribute of the resource is compared with. */
function comparedWith(attribute: string, { json }: Rule) {
  return conjunctsOf(json.conditions)
    .flatMap(({ expression }) => [...walk(expression)])
    .filter(({ args }) => args.some((arg) => pathOf(arg)?.join('.') === `resource.${attribute}`))
    .flatMap(({ args }) => args.flatMap(literalsOf));
}
