import { PalyraError } from '@palyra/kernel';
import { PasskeySchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const wanted = argument(invocation, 0);
  const { passkey } = await daemonOf(invocation.shell).passkeys.removePasskey({ passkey: wanted });
  if (passkey === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without a passkey');
  }
  if (wantsJson(invocation)) {
    terminal.json('passkey', { passkey: wireJson(PasskeySchema, passkey) });
  } else {
    terminal.print(`${inline(passkey.name)} (${inline(passkey.passkeyId)}) confirms nothing more`);
  }
  return 'ok';
}
