import { useBlocker } from '@tanstack/react-router';

/** Asks before a page is left on which somebody has written. */
export function useKept(isChanged: boolean): void {
  useBlocker({
    shouldBlockFn: () => isChanged && !confirm('Leave, and lose what you wrote?'),
    enableBeforeUnload: () => isChanged,
  });
}
