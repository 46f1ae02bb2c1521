import { ArchiveJournalResponseSchema, type ArchivedSegment } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { homeOf } from '../../home.ts';
import { printHoldingRun, waysOut } from '../../render/holding-run.ts';
import { printTable } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

/** To copy and check segments of a large journal takes a while; a silent daemon is left in the end. */
const DEADLINE_MS = 3_600_000;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { archiveDir } = homeOf(invocation.shell);
  const before = count(invocation, 'before');
  const { journal } = daemonOf(invocation.shell);
  const request = { before: BigInt(before) };
  const response = await journal.archiveJournal(request, { timeoutMs: DEADLINE_MS });
  const { segments, heldBy } = response;
  if (wantsJson(invocation)) {
    terminal.json('archive', {
      archiveDir,
      answer: wireJson(ArchiveJournalResponseSchema, response),
      ...(heldBy === undefined ? {} : { next: waysOut(heldBy) }),
    });
    return 'ok';
  }
  if (segments.length > 0) {
    printTable(terminal, ['segment', 'entries', 'file'], segments.map(row));
    terminal.print(`\n  in ${archiveDir}; check any of them with \`palyra journal verify FILE\``);
  } else if (heldBy === undefined) {
    terminal.print(`nothing to archive: ${nothingSealed(before)}`);
  } else {
    terminal.print('nothing was archived');
  }
  if (heldBy !== undefined) {
    terminal.print('');
    printHoldingRun(terminal, heldBy);
  }
  return 'ok';
}

function nothingSealed(before: number): string {
  if (before === 0) return 'only the open segment is left';
  return `no sealed segment in the store ends before entry ${before}`;
}

function row({ number, firstSequence, lastSequence, file }: ArchivedSegment): readonly string[] {
  return [String(number), `${firstSequence} to ${lastSequence}`, inline(file)];
}
