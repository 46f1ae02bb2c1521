import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showToken } from '../../one-token.ts';
import { peopleOf } from '../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const { token } = await client.tokens.revokeToken({ token: argument(invocation, 0) });
  return showToken(invocation, token, people);
}
