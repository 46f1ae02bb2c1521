import { PalyraError } from '@palyra/kernel';
import { workspaceFolder } from './folder-number.ts';
import type { OwnPlaces } from './own-places.ts';
import type { Workspaces } from './workspaces.ts';

/** Stands for a gateway that works in one folder, wherever a test has made it. */
export function onlyIn(own: OwnPlaces): Workspaces {
  const { workspace: home } = own;
  const groundIn = (path: string) => {
    if (path === home) return own;
    throw new PalyraError('SANDBOX_SCOPE_DENIED', 'no run works there');
  };
  return {
    home,
    further: [],
    has: (path) => path === home,
    groundIn,
    mountPoints: () => [],
    choose: (named) => groundIn(named === '' ? home : named).workspace,
    now: workspaceFolder,
  };
}
