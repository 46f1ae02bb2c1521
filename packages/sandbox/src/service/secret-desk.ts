import { PalyraError } from '@palyra/kernel';
import type { Questions } from './questions.ts';
import type { SecretPort } from './sandboxes.ts';

/** Asks the daemon for secrets, one by one and at the moment of use; keeps none. */
export function secretDesk(questions: Pick<Questions<string, string>, 'ask'>): SecretPort {
  return {
    reveal: async (name) => {
      const value = await questions.ask(name);
      if (value !== undefined) return value;
      throw new PalyraError('PERMISSION_DENIED', 'the secret is not given to this sandbox');
    },
  };
}
