import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isTooSoon } from './too-soon.ts';

/** How often it is looked whether it stands where it stood. A press looks for itself. */
const LOOK_MS = 100;
/** Less than this does not bring another button under a pointer. */
const STILL_PX = 4;

export interface Steady {
  /** Whether a press would count now. */
  readonly isSteady: boolean;
  /** Contract: asked for every pointer that goes down on it. */
  readonly press: (atMs: number) => void;
  /** Whether a click counts: it was pressed after it had stood still, in sight, for a moment. */
  readonly counts: (atMs: number) => boolean;
}

/** Tells deliberate clicks from those that something got because it came up under the pointer. */
export function useSteady(place: RefObject<HTMLElement | null>): Steady {
  const [isSteady, setIsSteady] = useState(false);
  const watch = useMemo(() => watchOf(place), [place]);
  // Before anybody can click: what is drawn has its time already.
  useLayoutEffect(() => {
    const look = () => setIsSteady(watch.look(performance.now()));
    const unsettle = () => {
      watch.disturb(performance.now());
      look();
    };
    unsettle();
    const timer = setInterval(look, LOOK_MS);
    addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('visibilitychange', unsettle);
    return () => {
      clearInterval(timer);
      removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('visibilitychange', unsettle);
    };
  }, [watch]);
  const pressedAt = useRef<number>(undefined);
  return {
    isSteady,
    press(atMs) {
      watch.look(performance.now());
      pressedAt.current = atMs;
    },
    counts(atMs) {
      watch.look(performance.now());
      const isDeliberate = watch.isDeliberate(pressedAt.current ?? atMs);
      pressedAt.current = undefined;
      if (!isDeliberate) watch.disturb(performance.now());
      return isDeliberate;
    },
  };
}

function watchOf(place: RefObject<HTMLElement | null>) {
  const known = { since: performance.now(), left: 0, top: 0 };
  const isDeliberate = (atMs: number) => !isTooSoon(atMs, known.since);
  return {
    isDeliberate,
    disturb(nowMs: number) {
      known.since = nowMs;
    },
    look(nowMs: number): boolean {
      const { left = 0, top = 0 } = place.current?.getBoundingClientRect() ?? {};
      // From where it last came to rest: many small steps are a way, too.
      if (Math.abs(left - known.left) > STILL_PX || Math.abs(top - known.top) > STILL_PX) {
        Object.assign(known, { since: nowMs, left, top });
      }
      return isDeliberate(nowMs);
    },
  };
}
