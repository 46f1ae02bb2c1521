import { PalyraError, visibleText } from '@palyra/kernel';
import { type JournalEntry, JournalEntrySchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { readRecord } from '../../journal-record.ts';
import { printFields } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { journal } = daemonOf(invocation.shell);
  const { record } = await journal.getEntry({ id: argument(invocation, 0) });
  if (record === undefined)
    throw new PalyraError('UNEXPECTED', 'the daemon answered without an entry');
  const { entry, isIntact } = readRecord(record);
  const { hash } = record;
  if (wantsJson(invocation)) {
    terminal.json('entry', { entry: wireJson(JournalEntrySchema, entry), hash, isIntact });
  } else {
    printEntry(terminal, entry, hash);
    const { paint, symbols } = terminal;
    terminal.print(
      isIntact
        ? `\n  ${paint('good', symbols.done)} the entry gives this hash`
        : `\n  ${paint('bad', symbols.failed)} the entry does not give this hash`,
    );
  }
  return isIntact ? 'ok' : 'journalBroken';
}

function printEntry(terminal: Terminal, entry: JournalEntry, hash: string): void {
  const title = terminal.paint('strong', `entry ${entry.sequence}`);
  terminal.print(`${title} ${inline(entry.kind)}\n`);
  printFields(terminal, [
    ['id', inline(entry.id)],
    ['time', inline(entry.time)],
    ['actor', inline(entry.actor)],
    ['run', inline(entry.runId) || terminal.symbols.none],
    ['session', inline(entry.sessionId) || terminal.symbols.none],
    ['previous', inline(entry.previousHash)],
    ['hash', inline(hash)],
  ]);
  const payload = visibleText(JSON.stringify(entry.payload ?? {}, undefined, 2));
  terminal.print(`\n${payload.replaceAll(/^/gm, '  ')}`);
}
