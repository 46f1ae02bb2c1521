import { PalyraError, quote } from '@palyra/kernel';
import type { Model } from '@palyra/protocol';

/**
 * The full name of the model that a run may ask for: by that name, or by the model's own where that
 * leaves no doubt. Contract: throws NOT_FOUND, with those that there are.
 */
export function chosenModel(models: readonly Model[], name: string): string {
  const choices = models.filter(({ isChoice }) => isChoice).map((model) => model.name);
  if (choices.includes(name)) return name;
  const short = choices.filter((choice) => choice.endsWith(`:${name}`));
  const [only] = short;
  if (only !== undefined && short.length === 1) return only;
  throw new PalyraError('NOT_FOUND', `no run may ask for a model ${quote(name)}`, {
    help: `there ${choices.length === 1 ? 'is' : 'are'} ${choices.map(quote).join(', ')}`,
  });
}
