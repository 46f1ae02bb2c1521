import { byteWords, limitWords } from '@palyra/client';
import type { ToolAttestation } from '@palyra/protocol';
import type { AttestationVerdict } from '../attestation-answer.ts';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields } from './layout.ts';
import { decisionWord, executorWord, inline, outcomeWord } from './words.ts';

/** What was signed about one call, or why nothing of it can be believed. */
export function printVerdict(
  terminal: Terminal,
  report: AttestationVerdict,
  more: readonly Field[] = [],
): void {
  const { paint, symbols } = terminal;
  switch (report.verdict) {
    case 'broken':
      terminal.print(`${paint('bad', `${symbols.failed} broken`)}\n`);
      printFields(terminal, [['because', inline(report.reason)]]);
      return;
    case 'verified': {
      const { attestation, keyId } = report;
      const mark = paint('good', `${symbols.done} verified`);
      terminal.print(`${mark}  call ${inline(attestation.callId)}\n`);
      printFields(terminal, [
        ...attestationFields(attestation, symbols.none),
        ...more,
        ['signed by', inline(keyId)],
      ]);
    }
  }
}

function attestationFields(attestation: ToolAttestation, none: string): readonly Field[] {
  const said = (text: string) => inline(text) || none;
  const { ruleIds, executionSha256, resultBytes } = attestation;
  return [
    ['run', said(attestation.runId)],
    ['decision', decisionWord(attestation.decision)],
    ['rules', said(ruleIds.join(', '))],
    ['policy set', said(attestation.policySetHash)],
    ['approval', said(attestation.approvalId)],
    ['proposal', said(attestation.fingerprint)],
    ['outcome', outcomeWord(attestation.outcome)],
    ['executor', executorWord(attestation.executor)],
    ['enforcement', said(attestation.sandboxEnforcement)],
    ['exit', exitWords(attestation) || none],
    ['limits', limitWords(attestation.limits) || none],
    ['reached', said(reachedWords(attestation))],
    ['output', said(executionSha256)],
    ['size', byteWords(resultBytes)],
    ['started', said(attestation.startedAt)],
    ['ended', said(attestation.endedAt)],
    ['written after', said(attestation.previousHash)],
  ];
}

function exitWords({ exitCode, exitSignal }: ToolAttestation): string {
  if (exitSignal !== '') return inline(exitSignal);
  return exitCode === undefined ? '' : `code ${exitCode}`;
}

function reachedWords({ egressHosts, egressHostsAreCut }: ToolAttestation): string {
  return `${egressHosts.join(', ')}${egressHostsAreCut ? ' and more' : ''}`;
}
