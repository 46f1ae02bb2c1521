import { statSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { namespaceOf, statusOf } from '../tier-c-bubblewrap/processes.ts';
import type { Way } from './plan.ts';

const NAMESPACES = ['user', 'pid', 'mnt', 'ipc', 'uts', 'cgroup', 'net'] as const;
const NEEDED: readonly string[] = ['user', 'pid', 'mnt'];

/** What is to be seen of the launcher before it gets its command. */
export interface Expected {
  readonly shell: number;
  readonly way: Way;
  /** Where it must stand. */
  readonly folder: { readonly device: number; readonly inode: number };
}

export interface Finding {
  readonly what: string;
  readonly holds: boolean;
}

/** Everything that was looked at, as it was found to be. */
export function findings({ shell, way, folder }: Expected): readonly Finding[] {
  const status = statusOf(shell);
  const own = namespacesOf(shell);
  const uid = status.get('Uid')?.split('\t')[0];
  return [
    ...(way === 'pid-namespace' ? NEEDED : []).map((kind) => ({
      what: `a ${kind} namespace of its own`,
      holds: own.includes(kind),
    })),
    { what: 'no way to new rights', holds: status.get('NoNewPrivs') === '1' },
    { what: 'no capability', holds: /^0+$/.test(status.get('CapEff') ?? '') },
    { what: 'a user other than root', holds: uid !== undefined && uid !== '0' },
    { what: 'the folder that was checked', holds: standsIn(shell, folder) },
  ];
}

export function namespacesOf(pid: number): readonly string[] {
  return NAMESPACES.filter((kind) => {
    const theirs = namespaceOf(pid, kind);
    return theirs !== undefined && theirs !== namespaceOf('self', kind);
  });
}

/** Contract: throws SANDBOX_UNAVAILABLE when anything that must hold does not. */
export function insist(found: readonly Finding[]): void {
  const missing = found.filter(({ holds }) => !holds).map(({ what }) => what);
  if (missing.length === 0) return;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the process came up without ${missing.join(', ')}`,
    {
      help: '`palyra sandbox status` shows what this machine allows',
    },
  );
}

function standsIn(pid: number, { device, inode }: Expected['folder']): boolean {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd/.`);
    return dev === device && ino === inode;
  } catch {
    return false;
  }
}
