import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import { type FileChange, FileChangeSchema } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import { netChanges } from './net-changes.ts';
import { ACTORS, type RunIdentity, draftOf } from './run-note.ts';

type HalfMadeParts = Pick<GatewayParts, 'journal' | 'undo' | 'log'>;

/** What a call that was cut off has done to its files, as they tell. */
export type CutOff = 'made' | 'unmade' | 'unclear';

/**
 * A call changes all of its files or none. One that a crash met between two of them has left some
 * changed: those are given back, each on record before it is. Where somebody has worked on one of its
 * files since, all stay as they are. What lay ready beside them goes. Tells of each call that was cut off how
 * its files are then.
 * Contract: never rejects. What it could not do it does when it is called again.
 */
export async function takeBackHalfMade(
  run: RunIdentity,
  entries: readonly SealedEntry[],
  parts: HalfMadeParts,
): Promise<ReadonlyMap<string, CutOff>> {
  const left = new Map<string, CutOff>();
  for (const [callId, changes] of cutOffChanges(entries)) {
    left.set(callId, await settle({ run, callId, changes }, parts));
    for (const change of changes) await parts.undo.tidy(change);
  }
  return left;
}

async function settle({ run, callId, changes }: Cut, parts: HalfMadeParts): Promise<CutOff> {
  const { made, unmade } = await lookAt(changes, parts);
  if (made === undefined) {
    parts.log.warn('changes of a call that was cut off were left as they are', { callId });
    return 'unclear';
  }
  if (made.length === 0) return 'unmade';
  return unmade === 0 ? 'made' : await giveBack({ run, callId, made }, parts);
}

interface Cut {
  readonly run: RunIdentity;
  readonly callId: string;
  readonly changes: readonly FileChange[];
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

interface LookedAt {
  /** Newest first; absent where it cannot be told, or somebody else has had a hand in it. */
  readonly made: readonly FileChange[] | undefined;
  readonly unmade: number;
}

/** Changes are made in the order of the record: one that was made behind one that was not is somebody else's doing. */
async function lookAt(changes: readonly FileChange[], { undo }: HalfMadeParts): Promise<LookedAt> {
  const made: FileChange[] = [];
  let unmade = 0;
  for (const net of netChanges(changes).toReversed()) {
    if (net.kind === 'mixed') return { made: undefined, unmade };
    const { change } = net;
    if (change.beforeSha256 === change.afterSha256) continue;
    const { kind } = await undo.look(change);
    if (kind === 'unchanged') unmade += 1;
    else if (kind === 'refused' || unmade > 0) return { made: undefined, unmade };
    else made.unshift(change);
  }
  return { made, unmade };
}

interface HalfMade {
  readonly run: RunIdentity;
  readonly callId: string;
  readonly made: readonly FileChange[];
}

async function giveBack({ run, callId, made }: HalfMade, parts: HalfMadeParts): Promise<CutOff> {
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
      return 'unclear';
    }
  }
  parts.log.warn('a change that a crash cut in half was taken back', {
    callId,
    files: made.length,
  });
  return 'unmade';
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;
