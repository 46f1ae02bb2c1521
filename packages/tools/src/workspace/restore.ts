import { PalyraError, quote } from '@palyra/kernel';
import type { KeptVersion, MadeChange, NewContent, ToolHands, ToolOutput } from '../hands.ts';
import { answer } from './answer.ts';
import { applyChanges } from './apply-changes.ts';
import { sha256Of } from './content.ts';
import { removeEmptied } from './folders.ts';
import { writableNamesOf } from './place.ts';
import { explain } from './refusals.ts';
import { type Seen, lookAt } from './seen.ts';
import type { After } from './staged-change.ts';

/**
 * Takes one change back. Refused with CONFLICT unless the file is as that change left it. It is a
 * change like any other: what it replaces is kept first. Folders that it had made go, too, when nothing
 * is in them any more.
 */
export async function restore(
  kept: MadeChange,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    const names = writableNamesOf(hands.workspace, kept.path);
    const before = lookAt(hands.workspace, names, hands.limits.fileBytes);
    if (!isAsLeft(before, kept.after)) throw changedSince(kept.path);
    const after = contentOf(kept);
    if (before.kind === 'file' || after.kind === 'file') {
      await applyChanges(hands, [{ names, before, after, folders: 'create' }], signal);
    }
    if (after.kind === 'absent') {
      removeEmptied(hands.workspace, names.slice(0, -1), kept.madeFolders ?? 0);
    }
    const bytes = answer([`restored ${quote(kept.path)}`], Buffer.alloc(0));
    return { kind: 'succeeded', bytes };
  } catch (error) {
    return { kind: 'failed', error: explain(error, kept.path) };
  }
}

function isAsLeft(now: Seen, left: NewContent): boolean {
  if (now.kind === 'absent' || left.kind === 'absent') return now.kind === left.kind;
  return sha256Of(now.bytes) === left.sha256;
}

function contentOf({ before, path }: KeptVersion): After {
  if (before.kind === 'absent') return before;
  if (sha256Of(before.bytes) === before.sha256) return before;
  throw new PalyraError('UNEXPECTED', `what was kept of ${quote(path)} is damaged`);
}

function changedSince(path: string): PalyraError {
  return new PalyraError('CONFLICT', `${quote(path)} was changed since, so it is left as it is`, {
    help: 'compare it yourself; what it was before is kept',
  });
}
