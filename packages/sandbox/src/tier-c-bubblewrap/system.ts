import { lstatSync, readlinkSync } from 'node:fs';
import type { EgressRequest } from '../model.ts';
import type { System, SystemRoot } from './plan.ts';

/** Programs and their libraries. What is a link on the host is the same link inside. */
const ROOTS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;
/** Needed by loaders, alternatives, TLS and clocks; none of it says who uses the machine. */
const ETC = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
] as const;
/** Of use only to those who share the machine's network. */
const RESOLVER = '/etc/resolv.conf';

export type Network = 'own' | 'shared';

export function networkOf({ mode }: EgressRequest): Network {
  return mode === 'strict' ? 'own' : 'shared';
}

export function readSystem(network: Network): System {
  const wanted: readonly string[] = network === 'own' ? ETC : [...ETC, RESOLVER];
  return {
    roots: ROOTS.flatMap(rootAt),
    etc: wanted.filter((path) => kindOf(path) !== undefined),
  };
}

function rootAt(path: string): readonly SystemRoot[] {
  switch (kindOf(path)) {
    case 'folder':
      return [{ kind: 'bind', path }];
    case 'link':
      return [{ kind: 'link', path, target: readlinkSync(path) }];
    case 'file':
    case undefined:
      return [];
  }
}

function kindOf(path: string): 'folder' | 'link' | 'file' | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return 'link';
  return stat.isDirectory() ? 'folder' : 'file';
}
