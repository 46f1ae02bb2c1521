import type { Workspace } from './workspace.ts';

/** Everything that an attempt could have changed. */
export interface Standing {
  /** Members, devices and tokens. */
  readonly registry: string;
  readonly pairings: readonly string[];
  /** Where the journal ends. */
  readonly tip: string;
}

export async function standingOf({
  gateway,
  test,
}: Pick<Workspace, 'gateway' | 'test'>): Promise<Standing> {
  const { members, pairing } = gateway.identity;
  const pairings = await pairing.list();
  const { sequence, hash } = test.journal.tip();
  return {
    registry: await members.export(),
    pairings: pairings.map(({ pairingId, state, tries }) => `${pairingId} ${state} ${tries}`),
    tip: `${sequence} ${hash}`,
  };
}
