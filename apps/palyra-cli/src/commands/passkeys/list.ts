import { PasskeySchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printPasskeys } from '../../render/passkeys.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { passkeys } = await daemonOf(invocation.shell).passkeys.listPasskeys({});
  if (wantsJson(invocation)) {
    terminal.json('passkeys', { passkeys: passkeys.map((one) => wireJson(PasskeySchema, one)) });
  } else if (passkeys.length === 0) {
    terminal.print('no passkeys; make one in the console, which `palyra console` opens');
  } else {
    printPasskeys(terminal, passkeys);
  }
  return 'ok';
}
