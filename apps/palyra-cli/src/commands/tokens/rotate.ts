import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSecret } from '../../one-token.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { tokens } = daemonOf(invocation.shell);
  return showSecret(invocation, await tokens.rotateToken({ token: argument(invocation, 0) }));
}
