import { Role } from '@palyra/protocol';
import { useCaller } from '../../app/caller.ts';

export interface MayAct {
  /** To speak in it, go on with it, branch from it. */
  readonly owns: boolean;
  /** To stop it, or take back what it did. */
  readonly mayStop: boolean;
}

/** Only for what to offer; the gateway decides for itself. */
export function useMayAct(principal: string): MayAct {
  const caller = useCaller();
  const owns = caller.principal === principal;
  return { owns, mayStop: owns || caller.role >= Role.ADMIN };
}
