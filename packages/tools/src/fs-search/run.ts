import { type JsonObject, PalyraError, visibleText } from '@palyra/kernel';
import { MAX_PATH_NAMES } from '../canonical/path.ts';
import type { ToolHands } from '../hands.ts';
import { answerLines, counted, saysLeftOut } from '../workspace/answer.ts';
import { Pace } from '../workspace/pace.ts';
import {
  type Opened,
  type OpenedFolder,
  namesOf,
  openFile,
  openFolder,
  openListed,
  openPlace,
} from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { absent } from '../workspace/refusals.ts';
import {
  type Entry,
  type LeftOut,
  type Meet,
  isWithheld,
  nothingLeftOut,
  walk,
} from '../workspace/walk.ts';
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
  await eachFileAt({ hands, pace, leftOut }, path, async (entry) => {
    await linesIn(search, { hands, leftOut, entry, tell: (line) => lines.push(line) });
    return budget.lines === 0 || budget.bytes <= 0 ? 'stop' : 'go-on';
  });
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
async function eachFileAt(searching: Searching, path: string, meet: Meet): Promise<void> {
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
      await meet({ folder, name, path: names.join('/'), kind: 'file' });
      return;
    }
  }
  // Each file is opened, and then looked at as what it is: a glance before would tell nothing more.
  const walking = { ...searching, depth: MAX_PATH_NAMES, glance: 'folders' } as const;
  await walk(walking, names, (entry) => (entry.kind === 'file' ? meet(entry) : 'go-on'));
}

interface Place {
  readonly hands: ToolHands;
  readonly leftOut: LeftOut;
  readonly entry: Entry;
  readonly tell: (line: string) => void;
}

async function linesIn(search: Search, { hands, leftOut, entry, tell }: Place): Promise<void> {
  using file = tryOpen(hands, entry, leftOut);
  if (file === undefined) return;
  const path = visibleText(entry.path, 'one-line');
  await searchFile(search, file, ({ number, bytes }) => {
    tell(`${path}:${number}: ${visibleText(bytes.toString().trimEnd())}`);
  });
}

function tryOpen({ workspace }: ToolHands, entry: Entry, leftOut: LeftOut): Opened | undefined {
  try {
    return openListed(workspace, entry.folder, entry.name);
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
    if (isWithheld(workspace, entry)) leftOut.withheld += 1;
    else leftOut.unreadable += 1;
    return undefined;
  }
}
