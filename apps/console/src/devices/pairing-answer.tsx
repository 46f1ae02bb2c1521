import { visibleText } from '@palyra/kernel';
import {
  type AnswerPairingRequest,
  DeviceKind,
  type Pairing,
  PairingSecret,
  PairingState,
} from '@palyra/protocol';
import { Button, Facts, When } from '@palyra/ui';
import { confirmRequest } from '../passkeys/confirm-request.ts';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { wordOf } from '../wire/words.ts';
import { usePeople } from '../app/use-people.ts';

export interface PairingAnswerProps {
  readonly pairing: Pairing;
  readonly onDone: () => void;
}

/** Who stands at the door, and the two answers. The answer counts only for the key that is shown. */
export function PairingAnswer({ pairing, onDone }: PairingAnswerProps) {
  const nameOf = usePeople();
  const { proven, pairingId } = pairing;
  const answering = useAct({
    act: (answer: PairingState) =>
      answerPairing({ pairingId, answer, keyFingerprint: proven?.keyFingerprint ?? '' }),
    changes: ['devices'],
    says: ({ pairing: answered }) =>
      answered?.state === PairingState.REJECTED ? 'It was turned away' : 'It is let in',
    after: onDone,
  });
  if (proven === undefined) return null;
  if (pairing.state !== PairingState.PENDING) {
    return <p className="text-sm">This pairing is {wordOf(PairingState, pairing.state)}.</p>;
  }
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          ['Calls itself', visibleText(proven.name, 'one-line')],
          ['Kind', wordOf(DeviceKind, proven.kind)],
          ['From', proven.address],
          ['Proven by', wordOf(PairingSecret, proven.secret)],
          ['Acts for', nameOf(`user:${pairing.userId}`)],
          ['Ends', <When key="ends" at={pairing.expiresAt} />],
          ['Key', <code key="key">{spaced(proven.keyFingerprint)}</code>],
        ]}
      />
      <p className="text-sm text-soft">
        Compare the key with the one that the device shows. Let it in only when they are the same.
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => answering.mutate(PairingState.REJECTED)}>Turn it away</Button>
        <Button
          look="main"
          isBusy={answering.isPending}
          onClick={() => answering.mutate(PairingState.APPROVED)}
        >
          Let it in
        </Button>
      </div>
    </div>
  );
}

/** A no lets nobody in, and needs nothing. */
async function answerPairing(given: GivenAnswer) {
  const assertion =
    given.answer === PairingState.APPROVED
      ? await confirmRequest({ case: 'pairing', value: given })
      : '';
  return await gateway.pairing.answerPairing({ ...given, assertion });
}

type GivenAnswer = Pick<AnswerPairingRequest, 'pairingId' | 'keyFingerprint' | 'answer'>;

/** In fours, as devices show it. */
function spaced(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(' ') ?? '';
}
