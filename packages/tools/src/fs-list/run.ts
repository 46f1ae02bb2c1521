import { type JsonObject, visibleText } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { answerLines, saysLeftOut } from '../workspace/answer.ts';
import { Pace } from '../workspace/pace.ts';
import { glanceAt, namesOf } from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { type Entry, nothingLeftOut, walk } from '../workspace/walk.ts';
import { fsListArguments } from './manifest.ts';

/** One entry a line: kind, size in bytes, path from the workspace. */
export async function runFsList(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { path, depth } = readArguments(fsListArguments(), args);
  const leftOut = nothingLeftOut();
  const walking = { hands, pace: new Pace(signal), depth, leftOut, glance: 'all' } as const;
  const lines: string[] = [];
  let bytes = 0;
  await walk(walking, namesOf(hands.workspace, path), (entry) => {
    const line = lineOf(entry);
    bytes += line.length;
    // An answer that is kept is bounded like a file.
    leftOut.isCut ||= bytes > hands.limits.fileBytes;
    if (leftOut.isCut) return 'stop';
    lines.push(line);
    return 'go-on';
  });
  const head = [`${lines.length} entries`, ...saysLeftOut(leftOut)];
  return answerLines(head, lines);
}

function lineOf({ folder, name, path, kind }: Entry): string {
  const shown = visibleText(path, 'one-line');
  if (kind === 'folder') return `folder - ${shown}/`;
  if (kind !== 'file') return `${kind} - ${shown}`;
  // Gone meanwhile, or in a folder that may be listed but not entered.
  return `file ${glanceAt(folder, name)?.size ?? '?'} ${shown}`;
}
