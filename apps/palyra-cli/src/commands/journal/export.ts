import { plural } from '@palyra/client';
import { PalyraError, readHeader } from '@palyra/kernel';
import type { ExportLine } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { writePrivately } from '../../private-output.ts';
import { UsageError } from '../../usage-error.ts';

const NEWLINE = new Uint8Array([0x0a]);

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const output = fileNamed(invocation.text.get('output'));
  if (output === undefined && wantsJson(invocation)) throw linesAreTheAnswer();
  if (output === undefined && terminal.isInteractive) throw notForTerminals();
  const { journal } = daemonOf(invocation.shell);
  const counted = new CountedLines(() =>
    journal.exportJournal({ runId: invocation.text.get('run') ?? '' }),
  );
  if (output === undefined) for await (const bytes of counted.bytes()) terminal.write(bytes);
  else await writePrivately(output, counted.bytes());
  const { entries, firstSequence } = counted;
  if (output !== undefined && wantsJson(invocation)) {
    const first = firstSequence > 0 ? { firstSequence } : {};
    terminal.json('export', { file: output, entries, ...first });
  } else if (output !== undefined) {
    terminal.note(`wrote ${plural(entries, 'entry', 'entries')} to ${output}`);
  }
  if (firstSequence > 1) terminal.note(elsewhere(firstSequence - 1));
  return 'ok';
}

/** `-` is standard output, as everywhere. */
function fileNamed(name: string | undefined): string | undefined {
  return name === '-' ? undefined : name;
}

class CountedLines {
  readonly #lines: () => AsyncIterable<ExportLine>;
  #count = 0;
  /** Of an export of all that is in the store; 0 for one of a run. */
  firstSequence = 0;

  constructor(lines: () => AsyncIterable<ExportLine>) {
    this.#lines = lines;
  }

  /** Without the first line and the last. */
  get entries(): number {
    return Math.max(this.#count - 2, 0);
  }

  /** Asked for when the file is open: a call that fails while nobody listens would end the program. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const { line } of this.#lines()) {
      if (this.#count === 0) this.firstSequence = readHeader(line).firstSequence ?? 0;
      this.#count += 1;
      yield line;
      yield NEWLINE;
    }
  }
}

function elsewhere(last: number): string {
  return `entries 1 to ${last} are not in it: they are in the files that \`palyra journal archive\` wrote`;
}

/** An object of ours between the lines of an export would make a file that does not verify. */
function linesAreTheAnswer(): UsageError {
  return new UsageError(
    '`--json` needs `-o FILE`: without it the export itself is the output',
    'add `-o FILE`, or leave `--json` out; the lines of an export are JSON already',
  );
}

function notForTerminals(): PalyraError {
  return new PalyraError(
    'INVALID_INPUT',
    'an export is bytes for a file, not text for a terminal',
    {
      help: 'write it with `-o FILE` or `> FILE`, or read entries with `palyra journal tail`',
    },
  );
}
