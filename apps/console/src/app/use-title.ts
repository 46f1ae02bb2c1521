import { useEffect } from 'react';
import { useRouterState } from '@tanstack/react-router';
import { usePending } from '../approvals/use-pending.ts';
import { PLACES } from './places.tsx';

/** `(2) Approvals · Palyra`: what waits is seen in the row of tabs. */
export function useTitle(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const waiting = usePending().length;
  useEffect(() => {
    const place = PLACES.findLast(({ path: begin }) => path.startsWith(begin));
    const count = waiting === 0 ? '' : `(${waiting}) `;
    document.title = `${count}${place?.name ?? 'Home'} · Palyra`;
  }, [path, waiting]);
}
