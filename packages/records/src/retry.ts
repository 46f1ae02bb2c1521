import { PalyraError } from '@palyra/kernel';

const ATTEMPTS = 8;

/**
 * Reads, decides and writes again when somebody else changed a record in between.
 * Contract: `attempt` begins by reading; the last CONFLICT is passed on.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tries === ATTEMPTS) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof PalyraError && error.code === 'CONFLICT';
}
