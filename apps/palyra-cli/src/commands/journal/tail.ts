import { PalyraError } from '@palyra/kernel';
import { JournalEntrySchema } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { onInterrupt } from '../../interrupts.ts';
import { type ReadRecord, follows, readRecord } from '../../journal-record.ts';
import { entryLine } from '../../render/entry-line.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const follow = invocation.flags.has('follow');
  const client = daemonOf(invocation.shell);
  const leaving = new AbortController();
  using cleanup = new DisposableStack();
  cleanup.use(onInterrupt(() => leaving.abort()));
  const request = { last: count(invocation, 'last'), follow };
  let before: ReadRecord | undefined;
  try {
    for await (const sent of client.journal.tailJournal(request, { signal: leaving.signal })) {
      const record = readRecord(sent);
      show(invocation, record);
      if (before !== undefined && !follows(record.entry, before)) throw brokenAt(record);
      before = record;
    }
  } catch (reason) {
    // Following has no other end than Ctrl-C, so that is a good one.
    if (!leaving.signal.aborted || PalyraError.from(reason).code !== 'CANCELLED') throw reason;
    return follow ? 'ok' : 'cancelled';
  }
  return 'ok';
}

function brokenAt({ entry }: ReadRecord): PalyraError {
  return new PalyraError(
    'JOURNAL_CORRUPT',
    `entry ${entry.sequence} does not follow from the entry before it`,
  );
}

function show(invocation: Invocation, { entry, hash }: ReadRecord): void {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('entry', { entry: wireJson(JournalEntrySchema, entry), hash });
  } else {
    terminal.print(entryLine(terminal, entry));
  }
}
