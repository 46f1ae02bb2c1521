import type { ReactNode } from 'react';
import { Fingerprint, ShieldAlert, Users } from 'lucide-react';
import { Button } from '@palyra/ui';
import { AddPasskey } from '../passkeys/add-passkey.tsx';
import { usePasskeys } from '../passkeys/use-passkeys.ts';
import { roleWord } from '../wire/role-words.ts';
import { inline } from './call-words.ts';
import { type Standing, yesWords } from './standing.ts';
import type { Reading } from './use-question.ts';

const ICON = { size: 16, 'aria-hidden': true, className: 'mt-0.5 shrink-0' } as const;

export interface AnswerNotesProps {
  readonly standing: Standing;
  readonly reading: Reading;
  readonly leftMs: number;
}

/** What stands between somebody and their answer. */
export function AnswerNotes({ standing, reading, leftMs }: AnswerNotesProps) {
  const { tooHigh, wanted, hasSaidYes, needsPasskey } = standing;
  if (leftMs === 0) {
    return (
      <Note icon={<ShieldAlert {...ICON} />}>
        Its time is over: without an answer it is denied.
      </Note>
    );
  }
  if (tooHigh !== undefined) {
    return (
      <Note icon={<ShieldAlert {...ICON} />}>
        The rule <code>{inline(tooHigh.ruleId)}</code> wants an answer of somebody with a higher
        role: {roleWord(tooHigh.approvers)} or above.
      </Note>
    );
  }
  return (
    <>
      {reading.isChanged ? <Changed onRead={reading.readAgain} /> : null}
      {wanted > 1 ? (
        <Note icon={<Users {...ICON} />}>
          {yesWords(standing)}.{' '}
          {hasSaidYes
            ? 'You are one of them; another person is needed. Until then you can still deny it.'
            : 'Each person has one yes, for this call alone; somebody and whoever let in their device count as one.'}
        </Note>
      ) : null}
      {needsPasskey && !hasSaidYes ? <NeedsPasskey /> : null}
    </>
  );
}

function Changed({ onRead }: { readonly onRead: () => void }) {
  return (
    <div role="alert" className="rounded-lg bg-bad-tint px-3 py-2 text-sm text-bad">
      <p className="font-medium">This question has changed since you opened it.</p>
      <p className="mt-0.5">What stands here is the new one. Read it again before you say yes.</p>
      <Button size="small" className="mt-2" onClick={onRead}>
        I have read it
      </Button>
    </div>
  );
}

function NeedsPasskey() {
  const { data } = usePasskeys();
  const hasNone = data?.passkeys.length === 0;
  return (
    <Note icon={<Fingerprint {...ICON} />}>
      A yes needs your passkey.{hasNone ? ' You have none yet.' : ''}
      {hasNone ? (
        <span className="mt-2 block">
          <AddPasskey size="small" />
        </span>
      ) : null}
    </Note>
  );
}

function Note({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex gap-2 rounded-lg bg-wait-tint px-3 py-2 text-sm text-wait">
      {icon}
      <div className="min-w-0">{children}</div>
    </div>
  );
}
