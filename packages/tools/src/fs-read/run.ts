import { readSync } from 'node:fs';
import { type JsonObject, PalyraError, quote } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { answer } from '../workspace/answer.ts';
import { Pace } from '../workspace/pace.ts';
import { namesOf, openFile, openFolder } from '../workspace/place.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { explain, failed } from '../workspace/refusals.ts';
import { type LinePage, type PageQuery, type ReadPiece, readLinePage } from './line-page.ts';
import { fsReadArguments } from './manifest.ts';

const PIECE_BYTES = 131_072;

/** A line of ours about what is shown and how to read on, then the lines as they are. */
export async function runFsRead(
  args: JsonObject,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const query = readArguments(fsReadArguments(), args);
  const { outputBytes, scanBytes } = hands.limits;
  const { path, first_line: firstLine, max_lines: maxLines, offset = 0 } = query;
  const asked = { firstLine, offset, maxLines, maxBytes: outputBytes, scanBytes };
  const pageOf = (read: ReadPiece) => readLinePage(read, asked, new Pace(signal));
  return show(await withFile(hands, path, pageOf), path, asked);
}

async function withFile(
  { workspace }: ToolHands,
  path: string,
  use: (read: ReadPiece) => Promise<LinePage>,
): Promise<LinePage> {
  const names = namesOf(workspace, path);
  using folder = openFolder(workspace, names.slice(0, -1));
  using file = openFile(workspace, folder, names.at(-1) ?? '.');
  return await use((offset) => {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    try {
      return piece.subarray(0, readSync(file.descriptor, piece, 0, PIECE_BYTES, offset));
    } catch (error) {
      throw explain(error, path);
    }
  });
}

/** Where a page begins. */
type Start = Pick<PageQuery, 'firstLine' | 'offset'>;

function show(page: LinePage, path: string, start: Start): Uint8Array {
  switch (page.kind) {
    case 'binary':
      throw failed(path, 'is not a text', 'run a program that knows its format');
    case 'too-far':
      throw failed(path, 'is too large to find that line in', 'look for a text with `fs.search`');
    case 'past-the-end':
      throw new PalyraError(
        'TOOL_FAILED',
        `${quote(path)} has ${page.lines} lines, so none at ${start.firstLine}`,
        { help: 'start at an earlier line' },
      );
    case 'past-the-line':
      throw new PalyraError(
        'TOOL_FAILED',
        `line ${start.firstLine} of ${quote(path)} has ${page.bytes} bytes, so none at ${start.offset}`,
        { help: 'start at an earlier byte, or at the next line without `offset`' },
      );
    case 'page':
      return answer([range(page.lines, start), ...further(page, start)], page.bytes);
  }
}

function range(lines: number, { firstLine, offset }: Start): string {
  if (lines === 0) return 'the file is empty';
  const from = offset === 0 ? '' : `, from byte ${offset} of line ${firstLine}`;
  return `lines ${firstLine} to ${firstLine + lines - 1}${from}`;
}

function further(page: LinePage & { readonly kind: 'page' }, start: Start): readonly string[] {
  const { firstLine, offset } = start;
  const damage = page.bytes.toString().includes('\uFFFD') ? ['not all of it is UTF-8'] : [];
  switch (page.end) {
    case 'of-file':
      return page.lines === 0 ? damage : ['the end of the file', ...damage];
    case 'of-page':
      return [`read on with \`first_line\` ${firstLine + page.lines}`, ...damage];
    case 'inside-a-line':
      return [
        'the line is longer than an answer and cut here',
        `read on with \`first_line\` ${firstLine} and \`offset\` ${offset + page.bytes.length}`,
        ...damage,
      ];
  }
}
