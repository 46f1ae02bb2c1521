import { useEffect, useState } from 'react';

const PATIENCE_MS = 1_200;

/**
 * Escape twice. Answers whether it was pressed once, so that this can be said. Contract: a dialog or
 * a menu that is open keeps its Escape.
 */
export function useDoubleEscape(onTwice: () => void): boolean {
  const [isOnce, setIsOnce] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.repeat) return;
      if (document.querySelector('[role="dialog"],[role="menu"]') !== null) return;
      if (isOnce) onTwice();
      setIsOnce(!isOnce);
    };
    addEventListener('keydown', onKey);
    const timer = isOnce ? setTimeout(() => setIsOnce(false), PATIENCE_MS) : undefined;
    return () => {
      removeEventListener('keydown', onKey);
      clearTimeout(timer);
    };
  }, [isOnce, onTwice]);
  return isOnce;
}
