import { denyCall } from '../../answer-approval.ts';
import type { Invocation } from '../../command.ts';
import type { Exit } from '../../exit-codes.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  return await denyCall(invocation);
}
