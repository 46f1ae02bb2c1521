import { type Invocation, argument, wantsJson } from '../../command.ts';
import { readSetting } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { inline } from '../../render/words.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const key = argument(invocation, 0);
  const answer = await askDaemonProgram(invocation.shell, ['config', 'get', key]);
  const { value } = readSetting(answer);
  if (wantsJson(invocation)) terminal.json('setting', { key, value: value ?? null });
  // Text without quotes, so that a script can use it as it is.
  else terminal.print(inline(typeof value === 'string' ? value : JSON.stringify(value ?? '')));
  return 'ok';
}
