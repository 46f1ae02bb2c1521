import { type JsonObject, quote } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { answer } from '../workspace/answer.ts';
import { applyChanges } from '../workspace/apply-changes.ts';
import { writableNamesOf } from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { failed } from '../workspace/refusals.ts';
import { type Seen, lookAt } from '../workspace/seen.ts';
import type { Change } from '../workspace/staged-change.ts';
import { fsWriteArguments } from './manifest.ts';

export async function runFsWrite(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { path, change } = planWrite(args, hands);
  await applyChanges(hands, [change], signal);
  return answer([...says(path, change.after.bytes.length, change.before)], Buffer.alloc(0));
}

export interface WritePlan {
  readonly path: string;
  readonly change: Change & { readonly after: { readonly kind: 'file'; readonly bytes: Buffer } };
}

/** Contract: changes nothing; throws PalyraErrors. */
export function planWrite(args: JsonObject, { workspace, limits }: ToolHands): WritePlan {
  const { path, content, mode, folders } = readArguments(fsWriteArguments(), args);
  const names = writableNamesOf(workspace, path);
  const before = lookAt(workspace, names, limits.fileBytes);
  if (mode === 'create' && before.kind === 'file') {
    throw failed(path, 'is there already', 'write it with mode `replace` if that is meant');
  }
  const bytes = bytesFor(mode, content, before);
  return { path, change: { names, before, after: { kind: 'file', bytes }, folders } };
}

function bytesFor(mode: 'create' | 'replace' | 'append', content: string, before: Seen): Buffer {
  const added = Buffer.from(content);
  switch (mode) {
    case 'create':
    case 'replace':
      return added;
    case 'append':
      return before.kind === 'file' ? Buffer.concat([before.bytes, added]) : added;
  }
}

function says(path: string, bytes: number, before: Seen): readonly string[] {
  if (before.kind === 'absent') return [`made ${quote(path)}`, `${bytes} bytes`];
  return [`wrote ${quote(path)}`, `${bytes} bytes, before ${before.bytes.length}`];
}
