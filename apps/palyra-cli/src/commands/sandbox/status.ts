import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import { askDaemonProgram, toError } from '../../daemon-program.ts';
import type { Finding } from '../../doctor/check.ts';
import type { Exit } from '../../exit-codes.ts';
import { showFailure } from '../../failure.ts';
import { printFinding } from '../../render/finding.ts';
import { printFields } from '../../render/layout.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';

/** Part of what was designed, and not of this program yet. */
const NOT_BUILT = ['A', 'B'];

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await askDaemonProgram(invocation.shell, ['sandbox', 'status']);
  const { findings, posture, fault } = answer;
  const works = !isJsonObject(fault) && isJsonObject(posture);
  if (wantsJson(invocation)) {
    const tiers = { A: 'not built', B: 'not built', C: works ? 'works' : 'refused' };
    terminal.json('sandbox_status', { works, tiers, findings, posture, fault });
    return works ? 'ok' : 'failure';
  }
  for (const finding of readFindings(findings)) printFinding(terminal, finding);
  if (isJsonObject(posture)) printPosture(terminal, posture);
  const { paint, symbols } = terminal;
  if (works) terminal.print(`\n${paint('good', `${symbols.done} tier C works`)}`);
  else terminal.print(`\n${paint('bad', `${symbols.failed} tier C is refused here`)}`);
  terminal.print(paint('quiet', `  tiers ${NOT_BUILT.join(' and ')} are not built yet`));
  if (isJsonObject(fault)) {
    showFailure(toError({ ...fault, message: fault['reason'] ?? '' }), terminal, 'text');
  }
  return works ? 'ok' : 'failure';
}

function readFindings(findings: Json | undefined): readonly Finding[] {
  if (!Array.isArray(findings)) return [];
  return findings.filter(isJsonObject).map((finding) => {
    const fix = textOf(finding, 'fix');
    return {
      check: textOf(finding, 'check'),
      result: resultOf(finding['result']),
      detail: textOf(finding, 'detail'),
      ...(fix !== '' && { fix }),
    };
  });
}

/** What is not clearly well is not well. */
function resultOf(result: Json | undefined): Finding['result'] {
  return result === 'ok' || result === 'warning' ? result : 'failed';
}

function printPosture(terminal: Terminal, posture: JsonObject): void {
  terminal.print('\nseen from outside, in a sandbox made for this:');
  printFields(terminal, [
    ['executor', textOf(posture, 'executor')],
    ['its own', listOf(posture['namespaces'])],
    ['filter', textOf(posture, 'seccomp')],
    ['memory', textOf(posture, 'memory')],
    ['weaker', listOf(posture['weaknesses'])],
  ]);
}

function listOf(items: Json | undefined): string {
  const words = Array.isArray(items) ? items.filter((item) => typeof item === 'string') : [];
  return words.length === 0 ? 'nothing' : words.map(inline).join(', ');
}
