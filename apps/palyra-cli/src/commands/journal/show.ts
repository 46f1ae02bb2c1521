import type { PalyraClient } from '@palyra/client';
import { PalyraError, hideSecrets, visibleText } from '@palyra/kernel';
import { JournalEntrySchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { type ReadRecord, readRecord } from '../../journal-record.ts';
import { printFields } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const record = await getRecord(client, argument(invocation, 0));
  const confirmation = confirm(record, await successorOf(client, record));
  if (wantsJson(invocation)) {
    const entry = wireJson(JournalEntrySchema, record.entry);
    terminal.json('entry', { entry, hash: record.hash, ...confirmation });
  } else {
    printEntry(terminal, record);
    terminal.print(`\n  ${confirmationWords(terminal, confirmation)}`);
  }
  return confirmation.chain === 'broken' ? 'journalBroken' : 'ok';
}

async function getRecord({ journal }: PalyraClient, id: string): Promise<ReadRecord> {
  const { record } = await journal.getEntry({ id });
  if (record !== undefined) return readRecord(record);
  throw new PalyraError('UNEXPECTED', 'the daemon answered without an entry');
}

/** Contract: `undefined` after the newest entry. */
async function successorOf(
  client: PalyraClient,
  { entry }: ReadRecord,
): Promise<ReadRecord | undefined> {
  try {
    return await getRecord(client, `${entry.sequence + 1n}`);
  } catch (reason) {
    if (PalyraError.from(reason).code === 'NOT_FOUND') return undefined;
    throw reason;
  }
}

/** What the entry after it says; an entry cannot vouch for itself. */
export type Confirmation =
  | { readonly chain: 'newest' }
  | { readonly chain: 'confirmed' }
  | { readonly chain: 'broken'; readonly nextNames: string };

export function confirm({ hash }: ReadRecord, next: ReadRecord | undefined): Confirmation {
  if (next === undefined) return { chain: 'newest' };
  const { previousHash } = next.entry;
  return previousHash === hash
    ? { chain: 'confirmed' }
    : { chain: 'broken', nextNames: previousHash };
}

function confirmationWords({ paint, symbols }: Terminal, confirmation: Confirmation): string {
  switch (confirmation.chain) {
    case 'confirmed':
      return `${paint('good', symbols.done)} the next entry confirms it`;
    case 'broken': {
      const mark = paint('bad', symbols.failed);
      return `${mark} the next entry names another hash: ${inline(confirmation.nextNames)}`;
    }
    case 'newest': {
      const mark = paint('quiet', symbols.none);
      return `${mark} it is the newest entry; \`palyra journal verify\` checks the signed head`;
    }
  }
}

function printEntry(terminal: Terminal, { entry, hash }: ReadRecord): void {
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
  const exact = JSON.stringify(entry.payload ?? {}, undefined, 2);
  const shown = JSON.stringify(hideSecrets(entry.payload ?? {}), undefined, 2);
  terminal.print(`\n${visibleText(shown).replaceAll(/^/gm, '  ')}`);
  if (shown === exact) return;
  terminal.print('\n  what looks like a secret, or is very long, is not shown; `--json` has all');
}
