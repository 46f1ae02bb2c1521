/** Why a run was stopped from outside, as the abort signal carries it. */
export class Stop {
  readonly by: string;
  readonly as: 'cancelled' | 'interrupted';
  constructor(as: 'cancelled' | 'interrupted', by: string) {
    this.as = as;
    this.by = by;
  }
}

/** Whether a run was cut off to go on later, and not given up: what is open then stays open. */
export function isInterrupted({ reason }: AbortSignal): boolean {
  return reason instanceof Stop && reason.as === 'interrupted';
}
