export interface Frames {
  /** Work is there; it is done before the next frame is drawn. */
  ask(): void;
  /** Resolves when no work is left, or it was stopped. */
  settled(): Promise<void>;
  stop(): void;
}

/** A page that nobody sees draws no frames; there work is done this often. */
const HIDDEN_MS = 250;

/**
 * Does work at most once a frame, so that a hundred words are drawn once. Contract: the work answers
 * whether more of it is left.
 */
export function everyFrame(work: () => boolean): Frames {
  const held: { stopWaiting?: (() => void) | undefined; waiting: (() => void)[] } = { waiting: [] };
  const settle = () => held.waiting.splice(0).forEach((resolve) => resolve());
  const step = () => {
    held.stopWaiting?.();
    held.stopWaiting = undefined;
    if (work()) ask();
    else settle();
  };
  const ask = () => {
    if (held.stopWaiting !== undefined) return;
    const frame = requestAnimationFrame(step);
    const timer = setTimeout(step, HIDDEN_MS);
    held.stopWaiting = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  };
  return {
    ask,
    async settled() {
      if (held.stopWaiting === undefined) return;
      await new Promise<void>((resolve) => held.waiting.push(resolve));
    },
    stop() {
      held.stopWaiting?.();
      held.stopWaiting = undefined;
      settle();
    },
  };
}
