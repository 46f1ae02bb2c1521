import { type Invocation, argument } from '../../command.ts';
import type { Exit } from '../../exit-codes.ts';
import { steerRun } from '../../steer-run.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const resume = { runId: argument(invocation, 0) };
  return await steerRun(invocation, { command: { case: 'resume', value: resume } });
}
