import { PalyraError } from '@palyra/kernel';
import { namespaceOf, statusOf } from './processes.ts';

const NAMESPACES = ['user', 'pid', 'mnt', 'ipc', 'uts', 'cgroup', 'net'] as const;
export type NamespaceName = (typeof NAMESPACES)[number];

/** What the kernel says of the process in which the command is about to start. */
export interface Observation {
  readonly namespaces: readonly NamespaceName[];
}

/** Without these it is no sandbox, whatever was asked for. */
const NEEDED: readonly NamespaceName[] = ['user', 'pid', 'mnt', 'ipc', 'uts'];
const NO_CAPABILITIES = '0000000000000000';
const CAPABILITIES = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'];

/** Contract: throws SANDBOX_UNAVAILABLE when anything that must hold does not. */
export function observe(pid: number, network: 'own' | 'shared'): Observation {
  const status = statusOf(pid);
  const namespaces = NAMESPACES.filter((kind) => {
    const theirs = namespaceOf(pid, kind);
    return theirs !== undefined && theirs !== namespaceOf('self', kind);
  });
  const needed = network === 'own' ? [...NEEDED, 'net' as const] : NEEDED;
  const missing = [
    ...needed
      .filter((kind) => !namespaces.includes(kind))
      .map((kind) => `its own ${kind} namespace`),
    ...CAPABILITIES.filter((name) => status.get(name) !== NO_CAPABILITIES).map(
      (name) => `an empty ${name}`,
    ),
    ...(status.get('Seccomp') === '2' ? [] : ['its system call filter']),
    ...(status.get('NoNewPrivs') === '1' ? [] : ['the ban on new rights']),
  ];
  if (missing.length === 0) return { namespaces };
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the sandbox came up without ${missing.join(', ')}`,
    {
      help: '`palyra sandbox status` shows what this machine allows',
    },
  );
}
