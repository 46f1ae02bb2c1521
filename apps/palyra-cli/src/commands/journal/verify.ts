import { plural } from '@palyra/client';
import { type ArchiveCount, verifyExport } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { openInput } from '../../input-file.ts';
import { sha256 } from '../../journal-record.ts';
import { keyIdOption } from '../../key-id-option.ts';
import { readLines } from '../../line-reader.ts';
import { type Field, printFields } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';
import { UsageError } from '../../usage-error.ts';
import { type Report, badEntry, readVerifyReport, withKey } from '../../verify-report.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const report = await verify(invocation).finally(() => terminal.progress(''));
  if (wantsJson(invocation)) terminal.json('verification', { ...report });
  else printReport(terminal, report);
  return report.verdict === 'intact' ? 'ok' : 'journalBroken';
}

async function verify(invocation: Invocation): Promise<Report> {
  const { terminal } = invocation.shell;
  const [file] = invocation.arguments;
  const key = invocation.text.get('key');
  if (file === undefined) {
    if (key !== undefined) {
      throw new UsageError('`--key` goes with an export file', 'the live journal has its own key');
    }
    terminal.progress('verifying the journal…');
    return readVerifyReport(await askDaemonProgram(invocation.shell, ['journal', 'verify']));
  }
  const keyId = key === undefined ? undefined : keyIdOption(key);
  await using input = await openInput(file);
  const report = await verifyExport(readLines(input.chunks), {
    sha256,
    onProgress: (entries) => terminal.progress(`verifying… ${entries} entries`),
  });
  return keyId === undefined ? report : withKey(report, keyId);
}

function printReport(terminal: Terminal, report: Report): void {
  const { paint, symbols } = terminal;
  if (report.verdict === 'intact') {
    const entries = plural(report.entries, 'entry', 'entries');
    terminal.print(`${paint('good', `${symbols.done} intact`)}  ${entries}\n`);
    printFields(terminal, [
      ['entries', `${report.firstSequence} to ${report.lastSequence}`],
      ['last hash', inline(report.headHash)],
      ['signed by', inline(report.keyId)],
      ...archiveFields(report.archived),
    ]);
    return;
  }
  const { fault, entries } = report;
  const entry = badEntry(fault);
  const place = entry === undefined ? '' : `  at entry ${fault.sequence ?? inline(entry)}`;
  terminal.print(`${paint('bad', `${symbols.failed} broken`)}${place}\n`);
  const because: Field = ['because', inline(fault.reason)];
  const good = plural(entries, 'entry', 'entries');
  printFields(
    terminal,
    entry === undefined
      ? [because, ['read', good]]
      : [['first bad', inline(entry)], because, ['good before', good]],
  );
}

function archiveFields(archived: ArchiveCount | undefined): readonly Field[] {
  if (archived === undefined) return [];
  const { expected, found, reason } = archived;
  const why = reason === undefined ? '' : `: ${inline(reason)}`;
  return [['archived', `${plural(expected, 'segment')}, ${plural(found, 'file')} found${why}`]];
}
