import type { Rule } from '../model.ts';
import { hostEntity } from '../request/connection.ts';
import { conjunctsOf, pathOf, walk } from './expression.ts';
import { literalsOf } from './literal.ts';
import type { Resource } from './target.ts';

const HTTPS = 443;
const HIGHEST = 65_535;
/** So many that rules name are asked about, of each host; the rest is left to doubt. */
const MAX_PORTS = 8;

/** Each host that rules name, and one for all others, at each port that they name. */
export function hostTargets(
  named: ReadonlySet<string>,
  rules: readonly Rule[],
): readonly Resource[] {
  const ports = [...new Set([HTTPS, ...rules.flatMap(portsIn)])].slice(0, MAX_PORTS);
  const hosts = [...named].map((name) => ({ name, label: name }));
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
  };
}

/** What `resource.port` is compared with. */
function portsIn({ json }: Rule): readonly number[] {
  return conjunctsOf(json.conditions)
    .flatMap(({ expression }) => [...walk(expression)])
    .filter(({ args }) => args.some((arg) => pathOf(arg)?.join('.') === 'resource.port'))
    .flatMap(({ args }) => args.flatMap(literalsOf))
    .filter((port) => typeof port === 'number')
    .filter((port) => port >= 0 && port <= HIGHEST);
}
