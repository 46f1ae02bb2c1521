import { TestModelResponseSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printTested } from '../../render/models.ts';
import { wireJson } from '../../wire-json.ts';

/** Longer than a slow model on a slow machine takes to be loaded. */
const TESTING = { timeoutMs: 5 * 60_000 } as const;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const name = invocation.arguments[0] ?? '';
  const tested = await daemonOf(invocation.shell).models.testModel({ name }, TESTING);
  if (wantsJson(invocation)) {
    terminal.json('model.tested', { tested: wireJson(TestModelResponseSchema, tested) });
  } else {
    printTested(terminal, tested);
  }
  return tested.error === undefined ? 'ok' : 'failure';
}
