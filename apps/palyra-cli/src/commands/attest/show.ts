import { ToolAttestationSchema } from '@palyra/protocol';
import { checkEnvelope } from '../../attestation-answer.ts';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printVerdict } from '../../render/attestation.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const { runs } = daemonOf(shell);
  const found = await runs.getAttestation({ callId: argument(invocation, 0) });
  const { entryId, envelope } = found;
  // The gateway's word is not taken for it: what it signed is checked here.
  const report = await checkEnvelope(shell, envelope);
  if (wantsJson(invocation)) {
    const sequence = `${found.sequence}`;
    const shown =
      report.verdict === 'verified'
        ? { ...report, attestation: wireJson(ToolAttestationSchema, report.attestation) }
        : report;
    shell.terminal.json('attestation', { ...shown, sequence, entryId });
  } else {
    printVerdict(shell.terminal, report, [['entry', `${found.sequence}, ${inline(entryId)}`]]);
  }
  return report.verdict === 'verified' ? 'ok' : 'journalBroken';
}
