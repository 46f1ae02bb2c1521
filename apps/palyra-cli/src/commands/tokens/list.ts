import { TokenSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printTokens } from '../../render/access.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { tokens } = await daemonOf(invocation.shell).tokens.listTokens({});
  if (wantsJson(invocation)) {
    terminal.json('tokens', { tokens: tokens.map((one) => wireJson(TokenSchema, one)) });
  } else if (tokens.length === 0) {
    terminal.print('no tokens; make one with `palyra tokens create`');
  } else {
    printTokens(terminal, tokens);
  }
  return 'ok';
}
