import { ErrorDetailSchema, ModelSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printModels, printOffered, printTrouble } from '../../render/models.ts';
import { wireJson } from '../../wire-json.ts';

/** A provider may take its time. */
const ASKING = { timeoutMs: 60_000 } as const;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const withOffered = invocation.flags.has('offered');
  const answer = await daemonOf(invocation.shell).models.listModels({ withOffered }, ASKING);
  const { models, offered, error } = answer;
  if (wantsJson(invocation)) {
    terminal.json('models', {
      models: models.map((model) => wireJson(ModelSchema, model)),
      ...(withOffered ? { offered } : {}),
      ...(error === undefined ? {} : { error: wireJson(ErrorDetailSchema, error) }),
    });
  } else {
    printModels(terminal, models);
    if (withOffered && error === undefined) printOffered(terminal, offered);
    if (error !== undefined) printTrouble(terminal, error);
  }
  return error === undefined ? 'ok' : 'failure';
}
