import { ERRORS, type ErrorCode, PalyraError } from '@palyra/kernel';

export type ReadinessPhase = 'starting' | 'ready' | 'failed' | 'draining';

/** Whether work is taken. It only ever moves forward: what failed or drains is not ready again. */
export interface Readiness {
  readonly phase: ReadinessPhase;
  /** Why it failed, once it did. */
  readonly fault: ErrorCode | undefined;
  markReady(): void;
  /** Contract: the first fault counts; a restart is the only way back. */
  markFailed(fault: ErrorCode): void;
  markDraining(): void;
}

/** Why no work is taken, in the words of the catalogue. Contract: `undefined` while nothing has failed. */
export function faultOf({ fault }: Pick<Readiness, 'fault'>): PalyraError | undefined {
  return fault === undefined ? undefined : new PalyraError(fault, ERRORS[fault].meaning);
}

export function createReadiness(): Readiness {
  let phase: ReadinessPhase = 'starting';
  let fault: ErrorCode | undefined;
  return {
    get phase() {
      return phase;
    },
    get fault() {
      return fault;
    },
    markReady() {
      if (phase === 'starting') phase = 'ready';
    },
    markFailed(code) {
      fault ??= code;
      if (phase !== 'draining') phase = 'failed';
    },
    markDraining() {
      phase = 'draining';
    },
  };
}
