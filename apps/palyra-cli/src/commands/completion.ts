import { type Invocation, argument, wantsJson } from '../command.ts';
import { isShellName, scriptFor } from '../completion/scripts.ts';
import type { Exit } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const shell = argument(invocation, 0);
  if (!isShellName(shell))
    throw new UsageError(`there is no completion for \`${shell}\``, 'use bash, zsh or fish');
  const script = scriptFor(shell);
  if (wantsJson(invocation)) terminal.json('completion', { shell, script });
  else terminal.write(script);
  return 'ok';
}
