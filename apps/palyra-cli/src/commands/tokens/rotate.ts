import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSecret } from '../../one-token.ts';
import { peopleOf } from '../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const rotated = await client.tokens.rotateToken({ token: argument(invocation, 0) });
  return showSecret(invocation, rotated, people);
}
