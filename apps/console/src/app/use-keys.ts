import { useEffect, useEffectEvent } from 'react';
import { isCovered, isWriting } from './use-shortcuts.ts';

/** Longer than the shell waits for the second key of a place: who was slow must not grant instead. */
const AFTER_G_MS = 10_000;

/**
 * Single keys for a page. Contract: not while somebody writes or a dialog stands open, nor the second
 * key of the way to a place: `g s` goes to the sandbox and grants nothing.
 */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const heard = useEffectEvent(onKey);
  useEffect(() => {
    const before = { gAt: Number.NEGATIVE_INFINITY };
    const listen = (event: KeyboardEvent) => {
      const isSecond = event.timeStamp - before.gAt < AFTER_G_MS;
      before.gAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isCovered()) return;
      heard(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
