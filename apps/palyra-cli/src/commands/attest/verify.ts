import { ToolAttestationSchema } from '@palyra/protocol';
import {
  MAX_ENVELOPE_BYTES,
  checkEnvelope,
  notAnEnvelope,
  withKeyOf,
} from '../../attestation-answer.ts';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import type { Exit } from '../../exit-codes.ts';
import { openInput } from '../../input-file.ts';
import { keyIdOption } from '../../key-id-option.ts';
import { printVerdict } from '../../render/attestation.ts';
import { wrap } from '../../render/layout.ts';
import type { Terminal } from '../../terminal.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const key = invocation.text.get('key');
  const keyId = key === undefined ? undefined : keyIdOption(key);
  const found = await checkEnvelope(shell, await readEnvelope(argument(invocation, 0)));
  const report = keyId === undefined ? found : withKeyOf(found, keyId);
  if (wantsJson(invocation)) {
    const shown =
      report.verdict === 'verified'
        ? { ...report, attestation: wireJson(ToolAttestationSchema, report.attestation) }
        : report;
    shell.terminal.json('attestation', { ...shown });
  } else {
    printVerdict(shell.terminal, report);
    if (report.verdict === 'verified' && keyId === undefined) sayWhoseKey(shell.terminal);
  }
  return report.verdict === 'verified' ? 'ok' : 'journalBroken';
}

/** A key is not to be trusted because it stands in the file. */
function sayWhoseKey(terminal: Terminal): void {
  const advice =
    'the file itself names this key: compare it with `signed by` of `palyra journal verify` on the gateway, or give the one you know with `--key`';
  terminal.print('');
  for (const line of wrap(advice, terminal.width - 2)) terminal.print(`  ${line}`);
}

async function readEnvelope(file: string): Promise<Uint8Array> {
  await using input = await openInput(file);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.chunks) {
    size += chunk.length;
    if (size > MAX_ENVELOPE_BYTES) throw notAnEnvelope();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
