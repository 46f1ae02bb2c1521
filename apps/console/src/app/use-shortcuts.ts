import { useEffect, useRef } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { usePlaces } from './use-places.ts';

/** Between `g` and the key of a place. */
const PATIENCE_MS = 3_000;

/** Whether somebody is writing: then keys are letters. */
export function isWriting({ target }: Event): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName))
  );
}

/** Whether something stands before the page and has the keyboard. */
export function isCovered(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null;
}

/** Ctrl+K for the palette, `g` and a letter for a place. */
export function useShortcuts({ onPalette }: { readonly onPalette: () => void }): void {
  const navigate = useNavigate();
  const places = usePlaces();
  // Outlives what is drawn between the two keys.
  const waitingSince = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isCovered()) onPalette();
        return;
      }
      if (isWriting(event) || isCovered() || event.ctrlKey || event.metaKey || event.altKey) return;
      const isSecond = event.timeStamp - waitingSince.current < PATIENCE_MS;
      waitingSince.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const place = isSecond ? places.find(({ key }) => key === event.key) : undefined;
      if (place !== undefined) void navigate({ to: place.path });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, places, onPalette]);
}
