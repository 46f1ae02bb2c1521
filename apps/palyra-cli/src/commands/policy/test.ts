import { plural } from '@palyra/client';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import type { Exit } from '../../exit-codes.ts';
import { askAboutRules, objectsIn, problemsIn } from '../../policy-answer.ts';
import { printProblems } from '../../render/policy.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const folders = invocation.arguments.map((folder) => resolve(folder));
  const answer = await askAboutRules(invocation.shell, ['test', ...folders]);
  const problems = problemsIn(answer);
  const results = objectsIn(answer, 'results');
  const failed = results.filter(({ passed }) => passed !== true);
  if (wantsJson(invocation)) {
    const passed = results.length - failed.length;
    terminal.json('test', { passed, failed: failed.length, results, problems: answer['problems'] });
  } else if (problems.length > 0) {
    printProblems(terminal, problems);
  } else if (results.length === 0) {
    printNothing(terminal, textOf(answer, 'folder'));
  } else {
    printResults(terminal, results, failed);
  }
  if (problems.length > 0) return 'config';
  return failed.length > 0 || results.length === 0 ? 'failure' : 'ok';
}

function printNothing(terminal: Terminal, folder: string): void {
  const { paint, symbols } = terminal;
  const where = inline(folder);
  if (!existsSync(folder)) {
    terminal.print(`${paint('bad', symbols.failed)} no case was run: there is no folder ${where}`);
    terminal.print(`  try: name a folder of rules that has cases, in it or in its folder tests`);
    return;
  }
  terminal.print(
    `${paint('bad', symbols.failed)} no case was run: there is no \`*.policytest.toml\``,
  );
  terminal.print(`  in ${where}, nor in its folder tests`);
  terminal.print(`  try: write one as docs/guides/policy.md shows, or name a folder that has some`);
}

function printResults(
  terminal: Terminal,
  results: readonly JsonObject[],
  failed: readonly JsonObject[],
): void {
  const { paint, symbols } = terminal;
  for (const result of failed) {
    terminal.print(`${paint('bad', symbols.failed)} ${textOf(result, 'name')}`);
    terminal.print(`  ${paint('quiet', placeOf(result))}`);
    terminal.print(`  ${textOf(result, 'difference')}`);
  }
  const tone = failed.length === 0 ? 'good' : 'bad';
  const mark = failed.length === 0 ? symbols.done : symbols.failed;
  const passed = `${results.length - failed.length} passed, ${failed.length} failed`;
  terminal.print(paint(tone, `${mark} ${plural(results.length, 'case')}: ${passed}`));
}

function placeOf(result: JsonObject): string {
  const { line } = result;
  const file = textOf(result, 'file');
  return typeof line === 'number' ? `${file}:${line}` : file;
}
