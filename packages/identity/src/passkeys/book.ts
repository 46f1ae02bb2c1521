import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, quote } from '@palyra/kernel';
import {
  type KeptPasskey,
  type MemberPasskeys,
  MemberPasskeysSchema,
  type Passkey,
} from '@palyra/protocol';
import { type RecordsPort, retryOnConflict } from '@palyra/records';
import type { Tables } from '../registry/tables.ts';

/** What comes of a look into the book: the next one, what tells of it, and what the caller gets. */
export interface Change<Result> {
  readonly book: MemberPasskeys;
  /** Contract: empty only where the book stays as it is. */
  readonly entries: readonly EntryDraft[];
  readonly outcome: { readonly kind: 'done'; readonly result: Result } | Failed;
}

interface Failed {
  readonly kind: 'failed';
  readonly fault: PalyraError;
}

export interface BookParts {
  readonly records: RecordsPort;
  readonly tables: Pick<Tables, 'passkeys'>;
}

export async function readBook({ tables }: BookParts, userId: string): Promise<MemberPasskeys> {
  return (await tables.passkeys.get(userId))?.value ?? emptyBook(userId);
}

/**
 * Reads, decides and writes the book of one member at the version that was read.
 * Contract: what failed is durable too, before it is thrown.
 */
export async function changeBook<Result>(
  parts: BookParts,
  userId: string,
  decide: (book: MemberPasskeys) => Promise<Change<Result>>,
): Promise<Result> {
  const { records, tables } = parts;
  const outcome = await retryOnConflict(async () => {
    const row = await tables.passkeys.get(userId);
    const change = await decide(row?.value ?? emptyBook(userId));
    if (change.entries.length === 0) return change.outcome;
    const isEmpty = change.book.passkeys.length === 0 && change.book.challenges.length === 0;
    const write =
      isEmpty && row !== undefined
        ? tables.passkeys.drop(row)
        : tables.passkeys.put(userId, change.book, row?.version ?? 0);
    await records.transact({ writes: [write], entries: change.entries });
    return change.outcome;
  });
  if (outcome.kind === 'failed') throw outcome.fault;
  return outcome.result;
}

export interface Found {
  readonly kept: KeptPasskey;
  readonly passkey: Passkey;
}

/** By id, or by a name that only one has. Contract: throws NOT_FOUND or INVALID_INPUT. */
export function findPasskey({ passkeys }: MemberPasskeys, wanted: string): Found {
  const all = passkeys.flatMap((kept) =>
    kept.passkey === undefined ? [] : [{ kept, passkey: kept.passkey }],
  );
  const byId = all.find(({ passkey }) => passkey.passkeyId === wanted);
  const named = all.filter(({ passkey }) => passkey.name === wanted);
  const [found] = byId === undefined ? named : [byId];
  if (found === undefined) {
    throw new PalyraError('NOT_FOUND', `you have no passkey ${quote(wanted)}`, {
      help: 'list them with `palyra passkeys list`',
    });
  }
  if (byId !== undefined || named.length === 1) return found;
  throw new PalyraError('INVALID_INPUT', `${named.length} passkeys are called ${quote(wanted)}`, {
    help: 'name it by its id, which `palyra passkeys list` shows',
  });
}

function emptyBook(userId: string): MemberPasskeys {
  return create(MemberPasskeysSchema, { userId });
}
