import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showToken } from '../../one-token.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { tokens } = daemonOf(invocation.shell);
  const { token } = await tokens.revokeToken({ token: argument(invocation, 0) });
  return showToken(invocation, token);
}
