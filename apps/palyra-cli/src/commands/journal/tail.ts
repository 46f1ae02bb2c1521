import { PalyraError } from '@palyra/kernel';
import { JournalEntrySchema } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { onInterrupt } from '../../interrupts.ts';
import { type ReadRecord, readRecord } from '../../journal-record.ts';
import { entryLine } from '../../render/entry-line.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const follow = invocation.flags.has('follow');
  const client = daemonOf(invocation.shell);
  const leaving = new AbortController();
  using cleanup = new DisposableStack();
  cleanup.use(onInterrupt(() => leaving.abort()));
  const request = { last: count(invocation, 'last'), follow };
  try {
    for await (const record of client.journal.tailJournal(request, { signal: leaving.signal })) {
      show(invocation, readRecord(record), record.hash);
    }
  } catch (reason) {
    // Following has no other end than Ctrl-C, so that is a good one.
    if (!leaving.signal.aborted || PalyraError.from(reason).code !== 'CANCELLED') throw reason;
    return follow ? 'ok' : 'cancelled';
  }
  return 'ok';
}

function show(invocation: Invocation, { entry, isIntact }: ReadRecord, hash: string): void {
  const { terminal } = invocation.shell;
  if (!isIntact) {
    throw new PalyraError('JOURNAL_CORRUPT', `entry ${entry.sequence} does not match its hash`);
  }
  if (wantsJson(invocation)) {
    terminal.json('entry', { entry: wireJson(JournalEntrySchema, entry), hash });
  } else {
    terminal.print(entryLine(terminal, entry));
  }
}
