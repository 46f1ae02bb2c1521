import { plural } from '@palyra/client';
import { type Invocation, wantsJson } from '../command.ts';
import type { CheckResult, Finding } from '../doctor/check.ts';
import { examineGateway } from '../doctor/gateway.ts';
import { checkDaemon, checkJournalChain } from '../doctor/palyra.ts';
import type { Exit } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { printFinding } from '../render/finding.ts';
import type { Terminal } from '../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const { terminal } = shell;
  const daemon = await checkDaemon(shell);
  const findings = [
    daemon,
    ...(await examineGateway(shell, daemon)),
    await checkJournalChain(shell, homeOf(shell)),
  ];
  const failed = countOf(findings, 'failed');
  const warnings = countOf(findings, 'warning');
  if (wantsJson(invocation)) {
    terminal.json('doctor', { isHealthy: failed === 0, failed, warnings, checks: findings });
  } else {
    for (const finding of findings) printFinding(terminal, finding);
    terminal.print(`\n${verdict(terminal, failed, warnings)}`);
  }
  return failed === 0 ? 'ok' : 'failure';
}

function verdict(terminal: Terminal, failed: number, warnings: number): string {
  if (failed > 0) return terminal.paint('bad', `${plural(failed, 'check')} failed`);
  if (warnings > 0) {
    return `${terminal.paint('good', 'no check failed')}, ${plural(warnings, 'warning')}`;
  }
  return terminal.paint('good', 'all is well');
}

function countOf(findings: readonly Finding[], result: CheckResult): number {
  return findings.filter((finding) => finding.result === result).length;
}
