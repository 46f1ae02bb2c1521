import { COMMANDS, GROUPS } from '../catalogue.ts';
import { type Invocation, wantsJson } from '../command.ts';
import { complete } from '../completion/candidates.ts';
import type { Exit } from '../exit-codes.ts';

/** One candidate a line, a tab before its summary; `:files` asks the shell for paths. */
export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const completion = complete(invocation.arguments, { commands: COMMANDS, groups: GROUPS });
  if (wantsJson(invocation)) {
    terminal.json('candidates', { ...completion });
    return 'ok';
  }
  for (const { word, summary } of completion.candidates) terminal.print(`${word}\t${summary}`);
  if (completion.files === 'offered') terminal.print(':files\t');
  return 'ok';
}
