import { resolve } from 'node:path';
import { type JsonObject, PalyraError, isJsonObject } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { textPairs } from '../../json-pairs.ts';
import { printPlan } from '../../render/sandbox-plan.ts';
import { printTier } from '../../render/verdict.ts';
import type { Terminal } from '../../terminal.ts';
import { readTier } from '../../verdict-answer.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const tool = argument(invocation, 0);
  const args = JSON.stringify(textPairs(invocation, 'arg'));
  const workspace = resolve(process.cwd(), invocation.text.get('workspace') ?? '.');
  const words = ['sandbox', 'explain', tool, args, workspace];
  const answer = await askDaemonProgram(invocation.shell, words).catch(withArgHelp);
  if (wantsJson(invocation)) {
    const { format: _format, kind: _kind, ...fields } = answer;
    terminal.json('sandbox_explanation', fields);
  } else {
    print(terminal, answer);
  }
  return 'ok';
}

/** What a model is told to look up, a person says on the command line. */
function withArgHelp(reason: unknown): never {
  const { code, message } = PalyraError.from(reason);
  if (code !== 'TOOL_ARGUMENTS_INVALID') throw reason;
  throw new PalyraError(code, message, {
    cause: reason,
    help: 'give each argument of the call as `--arg name=value`, such as `--arg command=git`',
  });
}

function print(terminal: Terminal, answer: JsonObject): void {
  const { explanation, standing } = answer;
  const tool = terminal.paint('strong', textOf(answer, 'tool'));
  if (!isJsonObject(explanation)) {
    terminal.print(`${tool} runs in no sandbox: ${textOf(answer, 'reason')}`);
    return;
  }
  terminal.print(`${tool} runs in a sandbox of tier ${textOf(answer, 'tier')}`);
  if (isJsonObject(standing)) printTier(terminal, readTier(standing));
  terminal.print('');
  printPlan(terminal, answer, explanation);
}
