import { type Invocation, argument } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { steerRun } from '../steer-run.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const start = {
    prompt: argument(invocation, 0),
    sessionId: invocation.text.get('session') ?? '',
  };
  return await steerRun(invocation, { command: { case: 'start', value: start } });
}
