import { PalyraError } from '@palyra/kernel';
import { type Invocation, type Shell, wantsJson } from '../command.ts';
import { daemonOf } from '../daemon.ts';
import type { Exit } from '../exit-codes.ts';
import { printFields } from '../render/layout.ts';
import { inline } from '../render/words.ts';
import { cliVersion } from '../version.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const daemon = await daemonVersion(invocation.shell);
  const node = process.versions.node;
  const platform = `${process.platform} ${process.arch}`;
  if (wantsJson(invocation)) {
    terminal.json('version', { palyra: cliVersion, daemon: daemon ?? null, node, platform });
    return 'ok';
  }
  printFields(terminal, [
    ['palyra', cliVersion],
    ['palyrad', daemon === undefined ? 'not running' : inline(daemon)],
    ['node', node],
    ['platform', platform],
  ]);
  return 'ok';
}

/** Contract: `undefined` when no daemon answers, which is no fault here. */
async function daemonVersion(shell: Shell): Promise<string | undefined> {
  try {
    return (await daemonOf(shell).health.getHealth({})).version;
  } catch (reason) {
    if (PalyraError.from(reason).code === 'DAEMON_UNREACHABLE') return undefined;
    throw reason;
  }
}
