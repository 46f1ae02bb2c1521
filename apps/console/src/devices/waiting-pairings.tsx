import { PairingState } from '@palyra/protocol';
import { Card } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { PairingAnswer } from './pairing-answer.tsx';

/** Devices that have proven a secret and wait to be let in, wherever that was started. */
export function WaitingPairings() {
  const { data } = useAsk(['devices', 'pairings'], (signal) =>
    gateway.pairing.listPairings({}, { signal }),
  );
  const waiting = (data?.pairings ?? []).filter(
    ({ state, proven }) => state === PairingState.PENDING && proven !== undefined,
  );
  return waiting.map((pairing) => (
    <Card key={pairing.pairingId} title="A device asks to be let in">
      <PairingAnswer pairing={pairing} onDone={() => undefined} />
    </Card>
  ));
}
