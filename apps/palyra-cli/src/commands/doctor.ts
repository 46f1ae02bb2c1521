import { PalyraError } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../command.ts';
import type { Check, CheckResult, Finding, Patient } from '../doctor/check.ts';
import {
  checkConfigDir,
  checkDoorDir,
  checkGatewaysDir,
  checkKeysDir,
  checkStateDir,
} from '../doctor/home.ts';
import { checkDisk, checkRuntime } from '../doctor/machine.ts';
import {
  checkConfig,
  checkDaemon,
  checkJournalChain,
  checkJournalFiles,
  checkNames,
} from '../doctor/palyra.ts';
import { checkBubblewrap, checkSandbox, checkUserNamespaces } from '../doctor/sandbox.ts';
import type { Exit } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { printFinding } from '../render/finding.ts';
import { inline, plural } from '../render/words.ts';
import type { Terminal } from '../terminal.ts';

/** In the order in which one would mend things. */
const CHECKS: readonly Check[] = [
  checkRuntime,
  checkConfigDir,
  checkStateDir,
  checkKeysDir,
  checkDoorDir,
  checkGatewaysDir,
  checkDisk,
  checkConfig,
  checkDaemon,
  checkNames,
  checkJournalFiles,
  checkJournalChain,
  checkBubblewrap,
  checkUserNamespaces,
  checkSandbox,
];

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const { terminal } = shell;
  const patient: Patient = { shell, places: homeOf(shell) };
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const finding = await examine(check, patient);
    findings.push(finding);
    if (!wantsJson(invocation)) printFinding(terminal, finding);
  }
  const failed = countOf(findings, 'failed');
  const warnings = countOf(findings, 'warning');
  if (wantsJson(invocation)) {
    terminal.json('doctor', { isHealthy: failed === 0, failed, warnings, checks: findings });
  } else {
    terminal.print(`\n${verdict(terminal, failed, warnings)}`);
  }
  return failed === 0 ? 'ok' : 'failure';
}

async function examine(check: Check, patient: Patient): Promise<Finding> {
  try {
    return await check(patient);
  } catch (reason) {
    const { message, help } = PalyraError.from(reason);
    return { check: 'doctor', result: 'failed', detail: inline(message), fix: inline(help) };
  }
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
