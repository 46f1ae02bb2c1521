import { PalyraError, quote } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { writableNamesOf } from '../workspace/place.ts';
import { absent, failed } from '../workspace/refusals.ts';
import { NOTHING, type Seen, lookAt } from '../workspace/seen.ts';
import type { Change } from '../workspace/staged-change.ts';
import { applyHunks } from './apply-hunks.ts';
import { type FilePatch, readPatch } from './unified-diff.ts';

export interface PatchPlan {
  readonly files: readonly FilePatch[];
  readonly changes: readonly Change[];
}

/**
 * What a patch would do to the files as they are now. All of them together are no larger than one
 * may be. Contract: changes nothing; throws PalyraErrors.
 */
export function planPatch(patch: string, { workspace, limits }: ToolHands): PatchPlan {
  const files = readPatch(patch);
  if (files.kind === 'unreadable') {
    const { reason, help } = files;
    throw new PalyraError('TOOL_ARGUMENTS_INVALID', `the patch ${reason}`, { help });
  }
  let left = limits.fileBytes;
  const look = (names: readonly string[]) => {
    const seen = lookAt(workspace, names, left);
    if (seen.kind === 'file') left -= seen.bytes.length;
    return seen;
  };
  const changes = files.value.flatMap((file) => changesOf(file, workspace, look));
  return { files: files.value, changes };
}

type Look = (names: readonly string[]) => Seen;

function changesOf(file: FilePatch, workspace: OpenWorkspace, look: Look): readonly Change[] {
  const names = writableNamesOf(workspace, file.path);
  const now = look(names);
  const change = { names, before: now, folders: 'existing' } as const;
  switch (file.kind) {
    case 'create':
      if (now.kind === 'file') throw taken(file.path);
      return [{ ...change, folders: 'create', after: patched(file, file.path, NOTHING) }];
    case 'change':
      return [{ ...change, after: patched(file, file.path, there(now, file.path)) }];
    case 'delete': {
      const left = patched(file, file.path, there(now, file.path));
      if (left.bytes.length === 0) return [{ ...change, after: { kind: 'absent' } }];
      throw failed(file.path, 'would be deleted with lines that the patch does not show', ALL);
    }
    case 'rename': {
      if (now.kind === 'file') throw taken(file.path);
      const from = writableNamesOf(workspace, file.from);
      const old = there(look(from), file.from);
      const after = { ...patched(file, file.from, old), mode: old.stats.mode };
      return [
        { ...change, folders: 'create', after },
        { names: from, before: old, after: { kind: 'absent' }, folders: 'existing' },
      ];
    }
  }
}

const ALL = 'remove every line of it in the patch';

function there(seen: Seen, path: string): Seen & { kind: 'file' } {
  if (seen.kind === 'absent') throw absent(path);
  return seen;
}

function taken(path: string): PalyraError {
  return failed(path, 'is there already', 'change it with a patch that shows its lines');
}

function patched({ hunks }: FilePatch, path: string, old: Seen) {
  const text = old.kind === 'absent' ? '' : textOf(old.bytes, path);
  const result = applyHunks(text, hunks);
  if (result.kind === 'read') return { kind: 'file', bytes: Buffer.from(result.value) } as const;
  const { reason, help } = result;
  throw new PalyraError('TOOL_FAILED', `the patch of ${quote(path)} ${reason}`, { help });
}

/** What is not UTF-8 would come back as something else. */
function textOf(bytes: Buffer, path: string): string {
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  throw failed(path, 'is no text in UTF-8', 'run a program that knows its format');
}
