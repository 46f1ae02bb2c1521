import { plural } from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
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
  const { journal } = daemonOf(invocation.shell);
  const lines = () => journal.exportJournal({ runId: invocation.text.get('run') ?? '' });
  if (output === undefined) {
    if (terminal.isInteractive) throw notForTerminals();
    for await (const { line } of lines()) {
      terminal.write(line);
      terminal.write(NEWLINE);
    }
    return 'ok';
  }
  const entries = await writeFile(output, lines);
  if (wantsJson(invocation)) terminal.json('export', { file: output, entries });
  else terminal.note(`wrote ${plural(entries, 'entry', 'entries')} to ${output}`);
  return 'ok';
}

/** `-` is standard output, as everywhere. */
function fileNamed(name: string | undefined): string | undefined {
  return name === '-' ? undefined : name;
}

/** Asked for when the file is open: a call that fails while nobody listens would end the program. */
async function writeFile(path: string, lines: () => AsyncIterable<ExportLine>): Promise<number> {
  let written = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const { line } of lines()) {
      yield line;
      yield NEWLINE;
      written += 1;
    }
  }
  await writePrivately(path, counted());
  return Math.max(written - 2, 0);
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
