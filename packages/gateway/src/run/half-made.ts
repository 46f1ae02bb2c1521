import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import { type FileChange, FileChangeSchema } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import { netChanges } from './net-changes.ts';
import { ACTORS, type RunIdentity, draftOf } from './run-note.ts';

type HalfMadeParts = Pick<GatewayParts, 'journal' | 'undo' | 'log'>;

/**
 * A call changes all of its files or none. One that a crash met between two of them has left some
 * changed: those are given back, each on record before it is. Where somebody has worked on one of its
 * files since, all stay as they are.
 * Contract: never rejects. What it could not do it does when it is called again.
 */
export async function takeBackHalfMade(
  run: RunIdentity,
  entries: readonly SealedEntry[],
  parts: HalfMadeParts,
): Promise<void> {
  for (const [callId, changes] of cutOffChanges(entries)) {
    if (changes.length < 2) continue;
    const made = await halfMade(changes, parts);
    if (made === 'unclear') {
      parts.log.warn('changes of a call that was cut off were left as they are', { callId });
    } else if (made.length > 0) {
      await giveBack({ run, callId, made }, parts);
    }
  }
}

/** By call: what those were about to change that had begun and have no end. */
function cutOffChanges(entries: readonly SealedEntry[]): ReadonlyMap<string, FileChange[]> {
  const changes = new Map<string, FileChange[]>();
  for (const { kind, payload } of entries) {
    if (kind === 'tool.finished') {
      changes.delete(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
    } else if (kind === 'file.changed') {
      const change = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const others = changes.get(change.callId) ?? [];
      changes.set(change.callId, [...others, change]);
    }
  }
  return changes;
}

/** Newest first: those that were made, when others were not; none when it was all of them, or none. */
async function halfMade(
  changes: readonly FileChange[],
  { undo }: HalfMadeParts,
): Promise<readonly FileChange[] | 'unclear'> {
  const made: FileChange[] = [];
  let unmade = 0;
  for (const net of netChanges(changes)) {
    if (net.kind === 'none') continue;
    if (net.kind === 'mixed') return 'unclear';
    const { kind } = await undo.look(net.change);
    if (kind === 'refused') return 'unclear';
    if (kind === 'can-restore') made.push(net.change);
    else unmade += 1;
  }
  return unmade === 0 ? [] : made;
}

interface HalfMade {
  readonly run: RunIdentity;
  readonly callId: string;
  readonly made: readonly FileChange[];
}

async function giveBack({ run, callId, made }: HalfMade, parts: HalfMadeParts): Promise<void> {
  for (const change of made) {
    const error = await parts.undo.restore(change, async (restoring) => {
      const message = create(FileChangeSchema, { ...restoring, callId });
      const note = { kind: 'file.restored', actor: ACTORS.gateway, message } as const;
      await parts.journal.append([draftOf(run, note)]);
    });
    if (error !== undefined) {
      parts.log.warn('a change that a crash cut in half could not be taken back', {
        callId,
        code: error.code,
        reason: error.message,
      });
      return;
    }
  }
  parts.log.warn('a change that a crash cut in half was taken back', {
    callId,
    files: made.length,
  });
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;
