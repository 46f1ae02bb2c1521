import { ArchiveJournalResponseSchema, type ArchivedSegment } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { homeOf } from '../../home.ts';
import { printTable } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

/** To copy and check segments of a large journal takes a while; a silent daemon is left in the end. */
const DEADLINE_MS = 3_600_000;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { archiveDir } = homeOf(invocation.shell);
  const before = BigInt(count(invocation, 'before'));
  const { journal } = daemonOf(invocation.shell);
  const response = await journal.archiveJournal({ before }, { timeoutMs: DEADLINE_MS });
  if (wantsJson(invocation)) {
    terminal.json('archive', {
      archiveDir,
      answer: wireJson(ArchiveJournalResponseSchema, response),
    });
  } else if (response.segments.length === 0) {
    terminal.print('nothing to archive: only the open segment is left');
  } else {
    printTable(terminal, ['segment', 'entries', 'file'], response.segments.map(row));
    terminal.print(`\n  in ${archiveDir}; check any of them with \`palyra journal verify FILE\``);
  }
  return 'ok';
}

function row({ number, firstSequence, lastSequence, file }: ArchivedSegment): readonly string[] {
  return [String(number), `${firstSequence} to ${lastSequence}`, inline(file)];
}
