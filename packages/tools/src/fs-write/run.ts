import { type JsonObject, quote } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { answer } from '../workspace/answer.ts';
import { applyChanges } from '../workspace/apply-changes.ts';
import { writableNamesOf } from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { failed } from '../workspace/refusals.ts';
import { type Seen, lookAt } from '../workspace/seen.ts';
import { fsWriteArguments } from './manifest.ts';

export async function runFsWrite(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { path, content, mode, folders } = readArguments(fsWriteArguments(), args);
  const names = writableNamesOf(hands.workspace, path);
  const before = lookAt(hands.workspace, names, hands.limits.fileBytes);
  if (mode === 'create' && before.kind === 'file') {
    throw failed(path, 'is there already', 'write it with mode `replace` if that is meant');
  }
  const bytes = bytesFor(mode, content, before);
  await applyChanges(hands, [{ names, before, after: { kind: 'file', bytes }, folders }], signal);
  return answer([...says(path, bytes.length, before)], Buffer.alloc(0));
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
