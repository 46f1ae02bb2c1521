import { PalyraError, quote } from '@palyra/kernel';
import type { ModelPort } from './model-port.ts';

/** The model of a new run; empty asks for the default. Contract: INVALID_INPUT names those there are. */
export function chosenModel(model: ModelPort, name: string): string {
  const choice = model.choose(name);
  if (choice.kind === 'chosen') return choice.name;
  throw new PalyraError('INVALID_INPUT', `there is no model ${quote(name)} to choose`, {
    help: `choose ${choice.choices.map(quote).join(' or ')}; \`models.choices\` has the list`,
  });
}

/** The model that a run began with. Contract: RUN_NOT_RESUMABLE when it is gone: no other takes over. */
export function sameModel(model: ModelPort, name: string): string {
  const choice = model.choose(name);
  if (choice.kind === 'chosen') return choice.name;
  throw new PalyraError('RUN_NOT_RESUMABLE', `the run used ${quote(name)}, which is gone`, {
    help: 'name that model in `models.choices` again, or start a new run',
  });
}
