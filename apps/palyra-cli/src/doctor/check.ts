import type { Places } from '@palyra/kernel';
import type { Shell } from '../command.ts';

export type CheckResult = 'ok' | 'warning' | 'failed';

/** One thing that was looked at. A warning costs a feature; a failure keeps Palyra from working. */
export interface Finding {
  readonly check: string;
  readonly result: CheckResult;
  readonly detail: string;
  /** What to do about it; absent when all is well. */
  readonly fix?: string;
}

export interface Patient {
  readonly shell: Shell;
  readonly places: Places;
}

/** Contract: never throws; what cannot be looked at is a finding too. */
export type Check = (patient: Patient) => Promise<Finding>;
