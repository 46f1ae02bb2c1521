import { realpath } from 'node:fs/promises';
import { PalyraError, quote } from '@palyra/kernel';
import type { Invocation } from './command.ts';
import { daemonOf } from './daemon.ts';

/**
 * A gateway works in one folder. Whoever names another one is told so before anything runs: a task
 * in the wrong folder is worse than none.
 */
export async function checkWorkspace(invocation: Invocation): Promise<void> {
  const named = invocation.text.get('workspace');
  if (named === undefined) return;
  const { workspace } = await daemonOf(invocation.shell).health.getHealth({});
  const wanted = await realpath(named).catch((cause: unknown) => {
    throw new PalyraError('INVALID_INPUT', `there is no folder ${quote(named)}`, { cause });
  });
  if (wanted === workspace) return;
  const message = `the gateway works in ${quote(workspace)}, not in ${quote(wanted)}`;
  const help = `start one there: \`cd ${wanted} && palyra up\`, with a home of its own in PALYRA_HOME`;
  throw new PalyraError('INVALID_INPUT', message, { help });
}
