import { useEffect, useRef } from 'react';
import { isTooSoon } from '@palyra/ui';
import { type KeyMeaning, meaningOf } from './keys.ts';
import type { Standing } from './standing.ts';
import { useKeys } from '../app/use-keys.ts';

export interface AnswerKeys {
  readonly approvalId: string;
  readonly standing: Standing;
  readonly onMeaning: (meaning: KeyMeaning) => void;
}

/** Keys that answer the question that is open, and no other. */
export function useAnswerKeys({ approvalId, standing, onMeaning }: AnswerKeys): void {
  const noiseAt = useRef(performance.now());
  useEffect(() => {
    const unsettle = () => {
      noiseAt.current = performance.now();
    };
    document.addEventListener('visibilitychange', unsettle);
    return () => document.removeEventListener('visibilitychange', unsettle);
  }, []);
  useKeys((event) => {
    const meaning = meaningOf(event.key, standing);
    if (meaning === undefined || event.repeat || isOnAnother(approvalId)) return;
    if (isTooSoon(event.timeStamp, noiseAt.current)) {
      noiseAt.current = event.timeStamp;
      return;
    }
    // The letter must not land in the field that it opens.
    event.preventDefault();
    onMeaning(meaning);
  });
}

/** Whoever stands on another row of the list may mean that one. */
function isOnAnother(approvalId: string): boolean {
  const on = document.activeElement?.getAttribute('data-approval') ?? approvalId;
  return on !== approvalId;
}
