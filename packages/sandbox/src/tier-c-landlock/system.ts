import { existsSync } from 'node:fs';
import type { System } from '../tier-c-bubblewrap/plan.ts';
import type { Place } from './plan.ts';

/** They take and give everything, and belong to nobody. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full'] as const;
const RANDOM = ['/dev/random', '/dev/urandom'] as const;
/**
 * Of the machine as a whole. Nothing of any process: a rule could not tell those of the command from
 * others, of which it would learn the command lines.
 */
const MACHINE = [
  '/proc/cpuinfo',
  '/proc/filesystems',
  '/proc/loadavg',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/sys/kernel/osrelease',
  '/proc/sys/vm/overcommit_memory',
  '/proc/uptime',
  '/proc/version',
] as const;

/** The same programs and files that bubblewrap shows, where they are. */
export function systemPlaces({ roots, etc }: System): readonly Place[] {
  const places = (paths: readonly string[], grant: Place['grant']) =>
    paths
      .filter((path) => existsSync(path))
      .map((path) => ({ of: 'system', path, grant }) as const);
  const folders = roots.flatMap(({ kind, path }) => (kind === 'bind' ? [path] : []));
  return [
    ...places(folders, 'read-run'),
    ...places(etc, 'read'),
    ...places(DEVICES, 'read-write'),
    ...places(RANDOM, 'read'),
    ...places(MACHINE, 'read'),
  ];
}
