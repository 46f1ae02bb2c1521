import type { PalyraClient } from '@palyra/client';
import { PalyraError, quote } from '@palyra/kernel';
import { type Pairing, PairingState } from '@palyra/protocol';
import type { People } from './people.ts';
import { PROBE } from './daemon.ts';
import type { ActsFor } from './render/devices.ts';

/**
 * Ends a pairing, whether a device has proven itself or not. Saying no to the wrong device harms
 * nobody, so whatever waits now is what is meant.
 */
export async function endPairing(
  client: PalyraClient,
  pairingId: string,
): Promise<Pairing | undefined> {
  const pairing = await findPairing(client, pairingId);
  const answered = await client.pairing.answerPairing(
    {
      pairingId,
      keyFingerprint: pairing.proven?.keyFingerprint ?? '',
      answer: PairingState.REJECTED,
    },
    PROBE,
  );
  return answered.pairing;
}

export async function findPairing(client: PalyraClient, pairingId: string): Promise<Pairing> {
  const { pairings } = await client.pairing.listPairings({}, PROBE);
  const found = pairings.find((one) => one.pairingId === pairingId);
  if (found !== undefined) return found;
  throw new PalyraError('NOT_FOUND', `there is no pairing ${quote(pairingId)}`, {
    help: 'list them with `palyra pairing list`',
  });
}

/** For whom the device would act if the caller let it in. */
export async function wouldActFor(
  client: PalyraClient,
  { userId }: Pairing,
  people: People,
): Promise<ActsFor> {
  const { role } = await client.identity.getCaller({});
  const [low = role] = [role, people.roleOf(userId)].toSorted((a, b) => a - b);
  return { name: people.nameOf(userId), role: low };
}
