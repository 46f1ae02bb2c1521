export type CheckResult = 'ok' | 'warning' | 'failed';

/** One thing that was looked at. A warning costs a feature; a failure keeps Palyra from working. */
export interface Finding {
  readonly check: string;
  /** What was looked at, in one sentence. */
  readonly about: string;
  readonly result: CheckResult;
  readonly detail: string;
  /** What to do about it; absent when all is well. */
  readonly fix?: string;
}
