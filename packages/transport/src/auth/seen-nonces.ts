/** Nonces of one session that are remembered: more calls than it makes in a minute. */
export const MOST_NONCES = 4_096;
/** Twice as many as the registry lets live at once, for those that ended a moment ago. */
export const MOST_SESSIONS = 512;

export interface Nonce {
  readonly sessionId: string;
  readonly text: string;
  /** Until when its proof would count. */
  readonly untilMs: number;
}

/**
 * Which nonces were used. INVARIANT: each is remembered for as long as its proof would count; when
 * there is no room left a new one is turned away, and nothing is forgotten early. It is the memory
 * of one process: see docs/decisions/0025-console-session-proof.md.
 */
export class SeenNonces {
  readonly #sessions = new Map<string, Map<string, number>>();

  /** Contract: looks and remembers in one step, so that of two at once one is `used`. */
  take({ sessionId, text, untilMs }: Nonce, nowMs: number): 'new' | 'used' | 'full' {
    const seen = this.#sessions.get(sessionId) ?? this.#begin(sessionId, nowMs);
    if (seen?.has(text) === true) return 'used';
    if (seen === undefined || !hasRoom(seen, nowMs)) return 'full';
    seen.set(text, untilMs);
    return 'new';
  }

  #begin(sessionId: string, nowMs: number): Map<string, number> | undefined {
    if (this.#sessions.size >= MOST_SESSIONS) this.#dropQuiet(nowMs);
    if (this.#sessions.size >= MOST_SESSIONS) return undefined;
    const seen = new Map<string, number>();
    this.#sessions.set(sessionId, seen);
    return seen;
  }

  #dropQuiet(nowMs: number): void {
    for (const [sessionId, seen] of this.#sessions) {
      dropOver(seen, nowMs);
      if (seen.size === 0) this.#sessions.delete(sessionId);
    }
  }
}

function hasRoom(seen: Map<string, number>, nowMs: number): boolean {
  if (seen.size >= MOST_NONCES) dropOver(seen, nowMs);
  return seen.size < MOST_NONCES;
}

/** In the order in which they came: one of a time to come holds up those behind it, for a while. */
function dropOver(seen: Map<string, number>, nowMs: number): void {
  for (const [text, untilMs] of seen) {
    if (untilMs >= nowMs) return;
    seen.delete(text);
  }
}
