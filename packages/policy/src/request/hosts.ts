import { isIP } from 'node:net';
import { mappedIpv4, quote } from '@palyra/kernel';
import type { HostFacts } from '@palyra/protocol';
import { underFacts } from './under.ts';
import { references, sortedSet } from './words.ts';

export const MAX_HOSTS = 32;

type Host = Pick<HostFacts, 'name' | 'port' | 'range'>;

/** Contract: hosts in which `hostProblem` found nothing. */
export function hostFacts(hosts: readonly Host[]) {
  const { allUnder, anyUnder } = underFacts(hosts.map(domainsOf));
  return {
    all: sortedSet(hosts.map(({ name }) => name)),
    allUnder,
    anyUnder,
    anyBare: hosts.some(({ name, range }) => range === 'name' && !name.includes('.')),
    ranges: references(
      'Range',
      hosts.map(({ range }) => range),
    ),
    ports: [...new Set(hosts.map(({ port }) => port))].toSorted((a, b) => a - b),
  };
}

export function hostProblem(hosts: readonly Host[]): string | undefined {
  if (hosts.length > MAX_HOSTS) return `the call names more than ${MAX_HOSTS} hosts`;
  return hosts
    .map((host) => spellingProblem(host) ?? portProblem(host.port))
    .find((problem) => problem !== undefined);
}

/** The dots of an address would divide it, were it taken for a name. */
function spellingProblem({ name, range }: Host): string | undefined {
  if (range === 'name' && isIP(name) !== 0) return `the host ${quote(name)} is no name`;
  return dialledProblem(name);
}

export const MAX_PORT = 65_535;

export function portProblem(port: number): string | undefined {
  return port >= 0 && port <= MAX_PORT ? undefined : `there is no port ${port}`;
}

/** Contract: `undefined` for a name or an address that can stand in a rule. */
export function dialledProblem(name: string): string | undefined {
  if (spellHost(name) === name) return undefined;
  return `the host ${quote(name)} is not in its one spelling`;
}

/**
 * The one spelling of a name or an address, as the URL standard has it, without brackets and final dot;
 * `undefined` for what is neither.
 */
export function spellHost(text: string): string | undefined {
  if (PLAIN_NAME.test(text)) return text;
  if (isIP(text) === 6) return spellIpv6(text);
  if (!/^[^\s/?#@\\%:[\]]+$/u.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname.replace(/\.$/u, '') ?? '';
  return NAME.test(host) ? host : undefined;
}

/** A mapped address reaches the other one, and so it is that one. */
function spellIpv6(text: string): string | undefined {
  const address = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  return address === undefined ? undefined : (mappedIpv4(address) ?? address);
}

const NAME = /^[\da-z_-]+(?:\.[\da-z_-]+)*$/;
/** Most names: one whose last label is a number may be an odd spelling of an address. */
const PLAIN_NAME = /^(?:[\da-z_-]+\.)*[a-z_][\da-z_-]*$/;

/** `a.example.com` is in `com`, `example.com` and itself. The dots of an address divide nothing. */
export function domainsOf({ name, range }: Pick<Host, 'name' | 'range'>): string[] {
  if (range !== 'name') return [name];
  const labels = name.split('.');
  return labels.map((_, place) => labels.slice(place).join('.'));
}
