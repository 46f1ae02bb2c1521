import { TokenSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { peopleOf } from '../../people.ts';
import { printTokens } from '../../render/access.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const [{ tokens }, people] = await Promise.all([
    client.tokens.listTokens({}),
    peopleOf(invocation, client),
  ]);
  if (wantsJson(invocation)) {
    terminal.json('tokens', { tokens: tokens.map((one) => wireJson(TokenSchema, one)) });
  } else if (tokens.length === 0) {
    terminal.print('no tokens; make one with `palyra tokens create`');
  } else {
    printTokens(terminal, tokens, people);
  }
  return 'ok';
}
