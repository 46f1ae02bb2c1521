import { isIP } from 'node:net';
import { quote } from '@palyra/kernel';
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
  const odd = hosts.find(
    ({ name, range }) => name === '' || (range === 'name' && !NAME.test(name)),
  );
  return odd === undefined ? undefined : `the host ${quote(odd.name)} is not in its one spelling`;
}

const NAME = /^[\da-z_-]+(?:\.[\da-z_-]+)*$/;

/** Contract: `undefined` for a name or an address that can stand in a rule. */
export function dialledProblem(name: string): string | undefined {
  if (NAME.test(name) || isIP(name) !== 0) return undefined;
  return `the host ${quote(name)} is not in its one spelling`;
}

/** `a.example.com` is in `com`, `example.com` and itself. The dots of an address divide nothing. */
export function domainsOf({ name, range }: Pick<Host, 'name' | 'range'>): string[] {
  if (range !== 'name') return [name];
  const labels = name.split('.');
  return labels.map((_, place) => labels.slice(place).join('.'));
}
