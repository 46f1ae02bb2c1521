import { type JsonObject, quote } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { answer, counted } from '../workspace/answer.ts';
import { applyChanges } from '../workspace/apply-changes.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { fsPatchArguments } from './manifest.ts';
import { planPatch } from './plan.ts';
import { summaryOf } from './preview.ts';
import type { FilePatch } from './unified-diff.ts';

export async function runFsPatch(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { patch } = readArguments(fsPatchArguments(), args);
  const { files, changes } = planPatch(patch, hands);
  await applyChanges(hands, changes, signal);
  const lines = files.map((file) => `${lineOf(file)}\n`).join('');
  return answer([`${counted(files.length, 'file')} changed`], Buffer.from(lines));
}

function lineOf(file: FilePatch): string {
  const { kind, path, added, removed } = summaryOf(file);
  const from = file.kind === 'rename' ? ` from ${quote(file.from)}` : '';
  return `${kind} ${quote(path)}${from}: ${counted(added, 'line')} added, ${removed} removed`;
}
