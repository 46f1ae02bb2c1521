import { PalyraError } from '@palyra/kernel';
import { type Invocation, type Shell, wantsJson } from '../command.ts';
import { PROBE, daemonOf } from '../daemon.ts';
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
    const running = typeof daemon === 'string' ? daemon : null;
    terminal.json('version', { palyra: cliVersion, daemon: running, node, platform });
    return 'ok';
  }
  printFields(terminal, [
    ['palyra', cliVersion],
    ['palyrad', inline(typeof daemon === 'string' ? daemon : whyUnknown(daemon))],
    ['node', node],
    ['platform', platform],
  ]);
  return 'ok';
}

/** What is wrong with which file is too much for a line about a version. */
function whyUnknown({ code, message }: PalyraError): string {
  if (code !== 'HOME_UNSAFE') return message;
  return 'unknown: its files cannot be used, `palyra doctor` says why';
}

/** Contract: that no daemon answers, or not to us, and why, is an answer here. */
async function daemonVersion(shell: Shell): Promise<string | PalyraError> {
  try {
    return (await daemonOf(shell).health.getHealth({}, PROBE)).version;
  } catch (reason) {
    const error = PalyraError.from(reason);
    if (error.code === 'UNEXPECTED') throw reason;
    return error;
  }
}
