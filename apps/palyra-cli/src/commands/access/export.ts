import { visibleText } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { writePrivately } from '../../private-output.ts';
import { UsageError } from '../../usage-error.ts';

const DEFAULT_FILE = 'access_registry.json';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const [file = DEFAULT_FILE] = invocation.arguments;
  if (file === '-' && wantsJson(invocation)) throw documentIsTheAnswer();
  const { registryJson } = await daemonOf(invocation.shell).members.exportAccess({});
  const text = registryJson.endsWith('\n') ? registryJson : `${registryJson}\n`;
  if (file === '-') {
    // Names in it are the members' own; in a file they stay as they are.
    terminal.write(terminal.isInteractive ? visibleText(text) : text);
    return 'ok';
  }
  await writePrivately(file, text);
  if (wantsJson(invocation)) terminal.json('access-export', { file });
  else terminal.note(`wrote members, devices and tokens to ${file}; no secret is in it`);
  return 'ok';
}

function documentIsTheAnswer(): UsageError {
  return new UsageError(
    '`--json` needs a file: with `-` the document itself is the output',
    'leave `--json` out, the document is JSON already; or name a file',
  );
}
