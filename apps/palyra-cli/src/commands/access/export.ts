import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { writePrivately } from '../../private-output.ts';

const DEFAULT_FILE = 'access_registry.json';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const [file = DEFAULT_FILE] = invocation.arguments;
  const { registryJson } = await daemonOf(invocation.shell).members.exportAccess({});
  await writePrivately(file, registryJson.endsWith('\n') ? registryJson : `${registryJson}\n`);
  if (wantsJson(invocation)) terminal.json('access-export', { file });
  else terminal.note(`wrote members, devices and tokens to ${file}; no secret is in it`);
  return 'ok';
}
