import { type EntryDraft, PalyraError } from '@palyra/kernel';
import type { Passkey } from '@palyra/protocol';
import { passkeyEntry } from '../registry/notes.ts';
import type { Change } from './book.ts';
import type { Purpose } from './challenge.ts';
import type { Refused } from './confirm.ts';
import type { ConsoleVisit } from './visit.ts';

/** That somebody was asked to show a passkey. */
export function challenged({ caller, session }: ConsoleVisit, purpose: Purpose): EntryDraft {
  const { confirms, about } = purpose;
  return passkeyEntry(
    'passkey.challenged',
    { userId: session.userId, confirms, about },
    caller.actor,
  );
}

/** That one was shown, and for what. */
export function used(visit: ConsoleVisit, purpose: Purpose, passkey: Passkey): EntryDraft {
  const { caller, session } = visit;
  const { confirms, about } = purpose;
  const note = { userId: session.userId, passkey, confirms, about };
  return passkeyEntry('passkey.used', note, caller.actor);
}

/** A change that takes the challenge away and gives nothing; where none was answered, nothing at all. */
export function refusal(
  { book, why }: Refused,
  { caller, session }: ConsoleVisit,
  { confirms, about }: Purpose,
): Change<never> {
  const note = { userId: session.userId, confirms, about, reason: why };
  const isUnanswered = why === 'it answers no open challenge';
  return {
    book,
    entries: isUnanswered ? [] : [passkeyEntry('passkey.refused', note, caller.actor)],
    outcome: {
      kind: 'failed',
      fault: new PalyraError('PERMISSION_DENIED', `the passkey was not accepted: ${why}`, {
        help: 'begin again in the console; what a passkey signs counts once, for five minutes',
      }),
    },
  };
}
