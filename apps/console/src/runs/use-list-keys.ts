import { type KeyboardEvent, type RefObject, useCallback } from 'react';
import { isWriting } from '../app/use-shortcuts.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** Arrows, `j` and `k` go through the things of a list: whatever in it has `data-list-item`. */
export function useListKeys(box: RefObject<HTMLElement | null>) {
  return useCallback(
    (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (step === undefined || isWriting(event.nativeEvent)) return;
      const things = [...(box.current?.querySelectorAll<HTMLElement>('[data-list-item]') ?? [])];
      const at = things.findIndex((thing) => thing.contains(document.activeElement));
      const next = things[Math.min(Math.max(at + step, 0), things.length - 1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    },
    [box],
  );
}
