import { type JsonObject, PalyraError, visibleText } from '@palyra/kernel';
import { MAX_PATH_NAMES } from '../canonical/path.ts';
import type { ToolHands } from '../hands.ts';
import { answerLines, counted, saysLeftOut } from '../workspace/answer.ts';
import { Pace } from '../workspace/pace.ts';
import {
  type OpenedFolder,
  namesOf,
  openFile,
  openFolder,
  openListed,
  openPlace,
} from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { absent } from '../workspace/refusals.ts';
import { type Entry, type LeftOut, nothingLeftOut, walk } from '../workspace/walk.ts';
import { fsSearchArguments } from './manifest.ts';
import { readMatcher } from './matcher.ts';
import { PIECE_BYTES, type Search, searchFile } from './search-file.ts';

/** One line of the answer for each that was found: path, number, text. */
export async function runFsSearch(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { text, match, path, max_results: most } = readArguments(fsSearchArguments(), args);
  const matcher = readMatcher(text, match);
  if (matcher.kind === 'unreadable') {
    throw new PalyraError('TOOL_ARGUMENTS_INVALID', `the call ${matcher.reason}`, matcher);
  }
  const pace = new Pace(signal);
  const budget = { bytes: hands.limits.scanBytes, lines: most };
  const search = { matcher: matcher.value(), pace, budget, piece: Buffer.alloc(PIECE_BYTES) };
  const leftOut = nothingLeftOut();
  const lines: string[] = [];
  for await (const entry of filesAt({ hands, pace, leftOut }, path)) {
    for await (const line of linesIn(search, { hands, leftOut, entry })) lines.push(line);
    if (budget.lines === 0 || budget.bytes <= 0) break;
  }
  const isCut = budget.bytes <= 0 || leftOut.isCut;
  const more = budget.lines === 0 ? ['there may be more: `max_results` is reached'] : [];
  const head = [
    `${counted(lines.length, 'line')} found`,
    ...more,
    ...saysLeftOut({ ...leftOut, isCut }),
  ];
  return answerLines(head, lines);
}

interface Searching {
  readonly hands: ToolHands;
  readonly pace: Pace;
  readonly leftOut: LeftOut;
}

/** The file itself, or all below the folder. */
async function* filesAt(searching: Searching, path: string): AsyncGenerator<Entry> {
  const { workspace } = searching.hands;
  const names = namesOf(workspace, path);
  const name = names.at(-1);
  if (name !== undefined) {
    using folder: OpenedFolder = openFolder(workspace, names.slice(0, -1));
    using place = openPlace(folder, name);
    if (place === undefined) throw absent(path);
    if (!place.stats.isDirectory()) {
      // Somebody named it, so what is wrong with it is told, not counted.
      openFile(workspace, folder, name)[Symbol.dispose]();
      yield { folder, name, path: names.join('/'), kind: 'file' };
      return;
    }
  }
  for await (const entry of walk({ ...searching, depth: MAX_PATH_NAMES }, names)) {
    if (entry.kind === 'file') yield entry;
  }
}

interface Place {
  readonly hands: ToolHands;
  readonly leftOut: LeftOut;
  readonly entry: Entry;
}

async function* linesIn(
  search: Search,
  { hands, leftOut, entry: { folder, name, path } }: Place,
): AsyncGenerator<string> {
  using file = tryOpen(() => openListed(hands.workspace, folder, name), leftOut);
  if (file === undefined) return;
  for await (const { number, bytes } of searchFile(search, file)) {
    yield `${visibleText(path, 'one-line')}:${number}: ${visibleText(bytes.toString().trimEnd())}`;
  }
}

function tryOpen<Value>(open: () => Value, leftOut: LeftOut): Value | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
    leftOut.unreadable += 1;
    return undefined;
  }
}
