import { PalyraError } from '@palyra/kernel';
import { actingMember } from '../registry/standing.ts';
import { readAssertion } from './authenticator-answer.ts';
import { changeBook } from './book.ts';
import { type Ceremony, stepUpCeremony } from './ceremony-options.ts';
import { type Purpose, addChallenge } from './challenge.ts';
import { confirm } from './confirm.ts';
import { type PasskeysParts, showingFor } from './parts.ts';
import { challenged, refusal, used } from './tellings.ts';
import { type ConsoleVisit, demandPasskeyOrigin } from './visit.ts';

/** A challenge for exactly this purpose. Contract: NOT_FOUND for a member without a passkey. */
export async function beginStepUp(
  parts: PasskeysParts,
  purpose: Purpose,
  visit: ConsoleVisit,
): Promise<Ceremony> {
  const { userId } = actingMember(visit.caller);
  demandPasskeyOrigin(visit);
  return await changeBook(parts, userId, async (book) => {
    if (book.passkeys.length === 0) throw none();
    const asked = addChallenge(book, { purpose, visit, now: parts.clock.now() });
    return {
      book: asked.book,
      entries: [challenged(visit, purpose)],
      outcome: { kind: 'done', result: await stepUpCeremony(asked.challenge, book.passkeys) },
    };
  });
}

/**
 * Contract: resolves once for one assertion, also after a crash: before it does, its challenge is gone
 * and its counter kept. PERMISSION_DENIED for whatever was not signed for exactly this.
 */
export async function confirmPurpose(
  parts: PasskeysParts,
  { purpose, assertion }: { readonly purpose: Purpose; readonly assertion: string },
  visit: ConsoleVisit,
): Promise<void> {
  const { userId } = actingMember(visit.caller);
  const shown = readAssertion(assertion);
  await changeBook(parts, userId, async (book) => {
    const confirmed = await confirm(book, shown, showingFor(parts, purpose, visit));
    if (confirmed.kind === 'refused') return refusal(confirmed, visit, purpose);
    return {
      book: confirmed.book,
      entries: [used(visit, purpose, confirmed.by)],
      outcome: { kind: 'done', result: undefined },
    };
  });
}

function none(): PalyraError {
  return new PalyraError('NOT_FOUND', 'you have no passkey yet', {
    help: 'add one in the console: `palyra console` opens it',
  });
}
