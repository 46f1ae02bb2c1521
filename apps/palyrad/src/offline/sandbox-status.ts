import { PalyraError } from '@palyra/kernel';

/** One thing that was looked at; the shape of `palyra doctor`. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly fix?: string;
}

export function tryFinding(check: string, look: () => string): Finding {
  try {
    return { check, result: 'ok', detail: look() };
  } catch (reason) {
    const { message, help } = PalyraError.from(reason);
    return { check, result: 'failed', detail: message, fix: help };
  }
}

export function faultOf(reason: unknown) {
  const { code, message, help } = PalyraError.from(reason);
  return { code, reason: message, help };
}

/** Seen from both sides: who the command is inside, and whose on the disk is what it made. */
export function accountFinding({ inside, owner }: { inside: string; owner: number }): Finding {
  const starter = process.geteuid?.() ?? 0;
  const detail = `started by user ${starter}; commands see themselves as user ${inside}, what they make belongs to user ${owner}`;
  return { check: 'account', result: inside === '0' ? 'failed' : 'ok', detail };
}

export function groupFinding(memory: 'cgroup' | 'best-effort'): Finding {
  const check = 'cgroup';
  if (memory === 'cgroup') {
    return { check, result: 'ok', detail: 'memory and processes are limited by the kernel' };
  }
  return {
    check,
    result: 'warning',
    detail: 'none is delegated: memory and processor time are measured, not enforced',
    fix: 'run it in a unit with `Delegate=yes` and `DelegateSubgroup=supervisor`',
  };
}
