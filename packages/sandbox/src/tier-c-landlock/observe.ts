import { PalyraError } from '@palyra/kernel';
import { statusOf } from '../tier-c-bubblewrap/processes.ts';

export interface Finding {
  readonly what: string;
  readonly holds: boolean;
}

const NO_CAPABILITIES = '0000000000000000';
const CAPABILITIES = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'] as const;

/** What the kernel says of the process in which the command is about to start. That Landlock holds, it has shown itself. */
export function findings(shell: number): readonly Finding[] {
  const status = statusOf(shell);
  const uid = status.get('Uid')?.split('\t')[0];
  return [
    { what: 'its system call filter', holds: status.get('Seccomp') === '2' },
    { what: 'the ban on new rights', holds: status.get('NoNewPrivs') === '1' },
    { what: 'a user other than root', holds: uid !== undefined && uid !== '0' },
    ...CAPABILITIES.map((name) => ({
      what: `an empty ${name}`,
      holds: status.get(name) === NO_CAPABILITIES,
    })),
  ];
}

/** Contract: throws SANDBOX_UNAVAILABLE when anything that must hold does not. */
export function insist(found: readonly Finding[]): void {
  const missing = found.filter(({ holds }) => !holds).map(({ what }) => what);
  if (missing.length === 0) return;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the sandbox came up without ${missing.join(', ')}`,
    { help: '`palyra sandbox status` shows what this machine allows' },
  );
}
