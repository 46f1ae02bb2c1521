import type { RunEvent } from '@palyra/protocol';

/**
 * Calls of one turn may run side by side, and their events then come mixed. A person reads one call
 * after the other: the first open one is told as it happens, what the others do waits for its end.
 * Bounded by the run itself: a call has a handful of events, and output of those that wait is dropped
 * here, because it comes again with their result.
 */
export class CallLanes {
  readonly #tell: (event: RunEvent) => void;
  readonly #waiting = new Map<string, RunEvent[]>();
  #front: string | undefined;

  constructor(tell: (event: RunEvent) => void) {
    this.#tell = tell;
  }

  hear(event: RunEvent): void {
    const callId = callOf(event);
    if (callId === undefined) return this.#tell(event);
    this.#front ??= callId;
    if (callId === this.#front) return this.#told(event);
    if (event.event.case === 'toolOutput') return;
    const lane = this.#waiting.get(callId) ?? [];
    this.#waiting.set(callId, [...lane, event]);
  }

  /** Tells what still waits: the run is over, or its stream broke off. */
  close(): void {
    for (const lane of this.#waiting.values()) for (const event of lane) this.#tell(event);
    this.#waiting.clear();
    this.#front = undefined;
  }

  #told(event: RunEvent): void {
    this.#tell(event);
    if (event.event.case !== 'toolAttested') return;
    this.#front = undefined;
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [callId, lane] = next;
    this.#waiting.delete(callId);
    for (const held of lane) this.hear(held);
  }
}

/** The call that an event is a part of; `undefined` for what a run does beside its calls. */
function callOf({ event }: RunEvent): string | undefined {
  switch (event.case) {
    case 'toolProposed':
    case 'toolDecided':
    case 'approvalChanged':
    case 'toolStarted':
    case 'toolOutput':
    case 'sandboxConnected':
    case 'toolFinished':
    case 'toolAttested':
      return event.value.callId;
    case 'runQueued':
    case 'runStarted':
    case 'runResumed':
    case 'textDelta':
    case 'reasoningDelta':
    case 'modelMessage':
    case 'modelSpoken':
    case 'modelAskedAgain':
    case 'fileChanged':
    case 'runCompacted':
    case 'runEnded':
    case 'runInterrupted':
    case undefined:
  }
  return undefined;
}
