export type ReadinessPhase = 'starting' | 'ready' | 'draining';

/** Whether work is taken. It only ever moves forward: what drains does not become ready again. */
export interface Readiness {
  readonly phase: ReadinessPhase;
  markReady(): void;
  markDraining(): void;
}

export function createReadiness(): Readiness {
  let phase: ReadinessPhase = 'starting';
  return {
    get phase() {
      return phase;
    },
    markReady() {
      if (phase === 'starting') phase = 'ready';
    },
    markDraining() {
      phase = 'draining';
    },
  };
}
