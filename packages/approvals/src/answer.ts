import { create } from '@bufbuild/protobuf';
import { PalyraError, quote, redactText } from '@palyra/kernel';
import {
  type ApprovalGrant,
  type ApprovalRecord,
  ApprovalStatus,
  type ApprovalVoice,
  ApprovalVoiceSchema,
  GrantScope,
} from '@palyra/protocol';
import { type Row, retryOnConflict } from '@palyra/records';
import { expiryOf, isLate } from './ask.ts';
import { close, closingWrites } from './closing.ts';
import { type GrantWish, draftGrant } from './grants.ts';
import { approvalEntry, grantEntry } from './notes.ts';
import type { Parts } from './parts.ts';
import type { Answerer } from './ports.ts';
import { offersFor } from './shape.ts';
import { demandNewVoice, demandVoice, isEnough } from './sufficient.ts';

export interface Answer {
  readonly approvalId: string;
  /** What the person saw. */
  readonly fingerprint: string;
  readonly answer: 'granted' | 'denied';
  readonly reason: string;
  readonly scope: GrantScope;
  /** The name of an offer; empty for exactly this call. */
  readonly shape: string;
  readonly until: Date | undefined;
  readonly uses: number;
}

export interface Answered {
  readonly record: ApprovalRecord;
  readonly grant: ApprovalGrant | undefined;
}

const MAX_REASON = 1_000;

/**
 * One person's answer. Contract: of answers that race one wins; the others get APPROVAL_CLOSED,
 * which says what it was. An answer to something else than what is asked does not count.
 */
export async function answer(parts: Parts, given: Answer, who: Answerer): Promise<Answered> {
  return await retryOnConflict(async () => {
    const row = await openRow(parts, given);
    const voice = voiceOf(parts, given, who);
    demandVoice(voice, row.value.gates);
    demandNewVoice(voice, row.value.voices);
    const heard = { ...row.value, voices: [...row.value.voices, voice] };
    if (given.answer === 'denied') {
      return { record: await deny(parts, { ...row, value: heard }, who), grant: undefined };
    }
    return await grant(parts, { row, heard, voice }, { given, who });
  });
}

async function openRow(parts: Parts, given: Answer): Promise<Row<ApprovalRecord>> {
  const { books, clock } = parts;
  const row = await books.open.get(given.approvalId);
  if (row === undefined) throw await overAlready(parts, given.approvalId);
  const { value: record } = row;
  if (record.status !== ApprovalStatus.PENDING) throw closed(record);
  if (record.fingerprint !== given.fingerprint) {
    throw new PalyraError(
      'INVALID_INPUT',
      'the answer is for another call than the one that waits',
      {
        help: 'look at it again: `palyra approvals show ID`',
      },
    );
  }
  if (!isLate(record, clock.now())) return row;
  const reason = expiryOf(record);
  throw closed(await close(parts, row, { status: ApprovalStatus.EXPIRED, reason }));
}

async function overAlready({ books }: Parts, id: string): Promise<PalyraError> {
  const row = await books.closed.get(id);
  if (row !== undefined) return closed(row.value);
  return new PalyraError('NOT_FOUND', `there is no question ${quote(id)}`, {
    help: '`palyra approvals list` shows what is waiting',
  });
}

function closed({ status, voices, reason, approvalId }: ApprovalRecord): PalyraError {
  const by = voices.at(-1);
  const who = by === undefined ? '' : ` by \`${by.principal}\` at ${by.at}`;
  const said = status === ApprovalStatus.GRANTED ? `granted${who}` : `${endings[status]}${who}`;
  return new PalyraError(
    'APPROVAL_CLOSED',
    `the question \`${approvalId}\` was ${said} already${reason === '' ? '' : `: ${reason}`}`,
  );
}

const endings: Readonly<Record<ApprovalStatus, string>> = {
  [ApprovalStatus.UNSPECIFIED]: 'closed',
  [ApprovalStatus.PENDING]: 'closed',
  [ApprovalStatus.GRANTED]: 'granted',
  [ApprovalStatus.DENIED]: 'denied',
  [ApprovalStatus.EXPIRED]: 'given up',
  [ApprovalStatus.CANCELLED]: 'withdrawn',
};

function voiceOf({ clock }: Parts, { answer: said, reason }: Answer, who: Answerer): ApprovalVoice {
  if (reason.length > MAX_REASON) {
    throw new PalyraError('INVALID_INPUT', `the reason is longer than ${MAX_REASON} characters`);
  }
  const { principal, role, strength, channel, vouchedBy } = who;
  return create(ApprovalVoiceSchema, {
    principal,
    role,
    strength,
    channel,
    vouchedBy: [...vouchedBy],
    at: clock.now().toISOString(),
    answer: said === 'granted' ? ApprovalStatus.GRANTED : ApprovalStatus.DENIED,
    reason: redactText(reason.toWellFormed()),
  });
}

async function deny(
  parts: Parts,
  row: Row<ApprovalRecord>,
  { actor }: Answerer,
): Promise<ApprovalRecord> {
  const { books, room, clock } = parts;
  const voice = row.value.voices.at(-1);
  const record = {
    ...row.value,
    status: ApprovalStatus.DENIED,
    reason: voice?.reason || 'a person said no',
    closedAt: clock.now().toISOString(),
  };
  await books.records.transact({
    writes: await closingWrites(books, row, record),
    entries: [approvalEntry('approval.answered', record, { actor, ...(voice && { voice }) })],
  });
  room.tell(record);
  return record;
}

interface Heard {
  readonly row: Row<ApprovalRecord>;
  readonly heard: ApprovalRecord;
  readonly voice: ApprovalVoice;
}

async function grant(
  parts: Parts,
  { row, heard, voice }: Heard,
  { given, who }: { readonly given: Answer; readonly who: Answerer },
): Promise<Answered> {
  const { books, room } = parts;
  const wish = wishOf(heard, given);
  const isDone = isEnough(heard.voices, heard.gates);
  const lease = isDone && wish !== undefined ? await draftGrant(parts, heard, wish) : undefined;
  const record = {
    ...heard,
    status: isDone ? ApprovalStatus.GRANTED : ApprovalStatus.PENDING,
    grantId: lease?.grantId ?? '',
  };
  const { actor } = who;
  await books.records.transact({
    writes: [
      books.open.put(row.id, record, row.version),
      ...(lease === undefined ? [] : [books.grants.put(lease.grantId, lease, 0)]),
    ],
    entries: [
      approvalEntry('approval.answered', record, { actor, voice }),
      ...(lease === undefined ? [] : [grantEntry('grant.made', lease, { actor })]),
    ],
  });
  room.tell(record);
  return { record, grant: lease };
}

/** Contract: `undefined` for this call alone; throws for what was not offered. */
function wishOf({ proposal, gates }: ApprovalRecord, given: Answer): GrantWish | undefined {
  const { scope, until, uses } = given;
  const name = given.shape === '' ? 'exact' : given.shape;
  const offers = proposal === undefined ? [] : offersFor(proposal);
  const offer = offers.find((each) => each.name === name);
  if (offer === undefined) {
    throw new PalyraError(
      'INVALID_INPUT',
      `the shape ${quote(name)} is not offered for this call`,
      {
        help: `choose one of ${offers.map((each) => `\`${each.name}\``).join(', ')}`,
      },
    );
  }
  if (scope !== GrantScope.SESSION && scope !== GrantScope.UNTIL) {
    if (name === 'exact' && uses === 0) return undefined;
    const what = name === 'exact' ? 'covers no further calls' : 'has no wider shape';
    throw new PalyraError('INVALID_INPUT', `a yes for this call alone ${what}`, {
      help: 'add `--scope session` or `--scope until=…`',
    });
  }
  if (gates.some(({ quorum }) => quorum > 1)) {
    throw new PalyraError('INVALID_INPUT', 'what several people decide is decided call by call', {
      help: 'leave the scope out',
    });
  }
  return { scope, shape: offer.shape, until, uses };
}
