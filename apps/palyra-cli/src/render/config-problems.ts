import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { textOf } from '../config-answer.ts';
import type { Terminal } from '../terminal.ts';
import { wrap } from './layout.ts';

/** What is wrong with the configuration; nothing for an answer that tells of nothing. */
export function problemsOf(answer: JsonObject): readonly JsonObject[] {
  const { problems } = answer;
  return Array.isArray(problems) ? problems.filter(isJsonObject) : [];
}

export function printProblem(terminal: Terminal, problem: JsonObject): void {
  const [first = '', ...more] = wrap(textOf(problem, 'message'), terminal.width - 4);
  terminal.print(`\n  ${first}`);
  for (const line of more) terminal.print(`    ${line}`);
  for (const line of wrap(`try: ${textOf(problem, 'help')}`, terminal.width - 4)) {
    terminal.print(`    ${terminal.paint('quiet', line)}`);
  }
}
