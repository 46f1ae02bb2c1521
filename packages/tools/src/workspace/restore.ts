import { PalyraError, quote } from '@palyra/kernel';
import type { KeptVersion, MadeChange, ToolHands, ToolOutput } from '../hands.ts';
import { answer } from './answer.ts';
import { applyChanges } from './apply-changes.ts';
import { sha256Of } from './content.ts';
import { removeEmptied } from './folders.ts';
import { writableNamesOf } from './place.ts';
import { explain } from './refusals.ts';
import { type Seen, lookAt } from './seen.ts';
import { type After, RIGHTS } from './staged-change.ts';

/**
 * Takes one change back. Refused with CONFLICT unless the file is as that change left it. A mode that
 * somebody has set since stays: whoever locked a file does not find it open again. It is a change like any
 * other: what it replaces is kept first. Folders that it had made go, too, when nothing is in them any more.
 */
export async function restore(
  kept: MadeChange,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    const names = writableNamesOf(hands.workspace, kept.path);
    const before = lookAt(hands.workspace, names, hands.limits.fileBytes);
    if (!isAsLeft(before, kept)) throw changedSince(kept.path);
    const after = contentOf(kept, before);
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

function isAsLeft(now: Seen, { before, after: left }: KeptVersion): boolean {
  if (now.kind === 'absent' || left.kind === 'absent') return now.kind === left.kind;
  // What goes away takes its mode along, so there that counts like the content.
  if (before.kind === 'absent' && modeOf(now) !== left.mode) return false;
  return sha256Of(now.bytes) === left.sha256;
}

function contentOf({ before, after: left, path }: KeptVersion, now: Seen): After {
  if (before.kind === 'absent') return before;
  if (sha256Of(before.bytes) !== before.sha256) {
    throw new PalyraError('UNEXPECTED', `what was kept of ${quote(path)} is damaged`);
  }
  if (now.kind === 'absent' || left.kind === 'absent') return before;
  return modeOf(now) === left.mode ? before : { ...before, mode: modeOf(now) };
}

function modeOf({ stats }: Seen & { kind: 'file' }): number {
  return stats.mode & RIGHTS;
}

function changedSince(path: string): PalyraError {
  return new PalyraError('CONFLICT', `${quote(path)} was changed since, so it is left as it is`, {
    help: 'compare it yourself; what it was before is kept',
  });
}
