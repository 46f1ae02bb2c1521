import { useBlocker } from '@tanstack/react-router';

/** Asks before a page is left on which somebody has written. Its own tabs are of the page. */
export function useKept(isChanged: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      current.pathname !== next.pathname &&
      !confirm('Leave, and lose what you wrote?'),
    enableBeforeUnload: () => isChanged,
  });
}
