import { PalyraError } from '@palyra/kernel';

export function limitReached(key: string, limit: number): PalyraError {
  return new PalyraError('RUN_LIMIT_REACHED', `the run reached \`${key}\` (${limit})`);
}
