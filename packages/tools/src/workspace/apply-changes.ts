import { PalyraError } from '@palyra/kernel';
import type { NewContent, OldContent, PlannedChange, ToolHands } from '../hands.ts';
import { sha256Of } from './content.ts';
import { failed } from './refusals.ts';
import type { Seen } from './seen.ts';
import { type After, type Change, RIGHTS, StagedChange, modeAfter } from './staged-change.ts';

/** Also the bits that lend the owner's rights to whoever runs it. */
const ALL_MODES = 0o7777;

/**
 * All of them or none. First every old content is kept, then everything is written beside its file,
 * then, without a pause in which another call of ours could come between, each takes its place.
 * Contract: throws PalyraErrors. A crash between two of the last steps can leave some made; what was
 * kept tells which, for whoever starts next.
 */
export async function applyChanges(
  hands: ToolHands,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<void> {
  for (const change of changes) {
    checkSize(change, hands.limits.fileBytes);
    const { facts, madeFolders, ...old } = plannedOf(change);
    await hands.undo.keep(old, { facts, madeFolders });
  }
  const staged: StagedChange[] = [];
  try {
    const backup = changes.length > 1 ? 'kept' : 'none';
    for (const change of changes) {
      signal.throwIfAborted();
      staged.push(await StagedChange.prepare(hands, change, backup));
    }
    signal.throwIfAborted();
    for (const each of staged) each.check();
    for (const each of staged) each.commit();
  } catch (error) {
    rollBack(staged, error);
  }
  await settle(staged, hands.limits.draftMs);
}

/** Contract: always throws. Each is taken back, also when another one cannot be. */
function rollBack(staged: readonly StagedChange[], reason: unknown): never {
  const failures: unknown[] = [];
  for (const each of staged.toReversed()) {
    try {
      each.rollBack();
    } catch (error) {
      failures.push(error);
    } finally {
      each[Symbol.dispose]();
    }
  }
  if (failures.length === 0) throw reason;
  throw new PalyraError('UNEXPECTED', 'a change failed and could not be taken back entirely', {
    cause: new AggregateError([reason, ...failures]),
    help: 'look at the files it names; the old content is kept for undo',
  });
}

async function settle(staged: readonly StagedChange[], draftMs: number): Promise<void> {
  try {
    for (const each of staged) await each.settle();
    // A folder may have thousands of names: one look for all that was changed in it.
    const oneOfEach = new Map(staged.map((each) => [each.folderIdentity, each]));
    for (const each of oneOfEach.values()) each.removeAbandoned(draftMs);
  } finally {
    for (const each of staged) each[Symbol.dispose]();
  }
}

function checkSize({ after, names }: Change, limitBytes: number): void {
  if (after.kind === 'absent' || after.bytes.length <= limitBytes) return;
  throw failed(names.join('/'), `would be larger than ${limitBytes} bytes`, 'split the file');
}

/** The change in the words of undo. */
export function plannedOf({ names, before, after, folders }: Change): PlannedChange {
  const missing = names.length - 1 - before.folders.length;
  return {
    path: names.join('/'),
    before: oldContent(before),
    after: newContent(before, after),
    facts: factsOf(before),
    madeFolders: folders === 'create' ? missing : 0,
  };
}

function factsOf(seen: Seen): string {
  const mode = seen.kind === 'file' ? `mode ${(seen.stats.mode & ALL_MODES).toString(8)} ` : '';
  return `${mode}in ${seen.folders.join(' ')}`;
}

function oldContent(seen: Seen): OldContent {
  if (seen.kind === 'absent') return { kind: 'absent' };
  const { bytes, stats } = seen;
  return { kind: 'file', sha256: sha256Of(bytes), bytes, mode: stats.mode & RIGHTS };
}

function newContent(before: Seen, after: After): NewContent {
  if (after.kind === 'absent') return after;
  return { kind: 'file', sha256: sha256Of(after.bytes), mode: modeAfter(before, after) };
}
