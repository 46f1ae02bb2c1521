import { useNavigate, useRouterState } from '@tanstack/react-router';

export interface ChosenTab {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/**
 * Which tab of a page is open, as its address says: `/access#tokens`. So it outlives a reload, and can be
 * gone back to and linked to. Contract: the first one where the address names none that there is.
 */
export function useTab(path: string, ids: readonly string[]): ChosenTab {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate();
  const [first = ''] = ids;
  return {
    chosen: ids.includes(hash) ? hash : first,
    onChoose: (id) => void navigate({ to: path, hash: id === first ? '' : id }),
  };
}
