import { type Log, PalyraError, redact } from '@palyra/kernel';
import type { Watch } from './auth/watch.ts';
import type { Credentials } from './device-port/credentials.ts';

export interface BeatParts {
  readonly watch: Pick<Watch, 'isDue' | 'sweep'>;
  readonly credentials: Pick<Credentials, 'refresh'>;
  readonly log: Log;
  /** Changes whenever anybody's standing has changed. */
  revision(): number;
  /** From now on new connections are answered with the credentials as they are. */
  swap(): void;
}

/** Beats after which everything is looked at anyhow: a token that runs out changes nothing. */
const BEATS_TO_LOOK = 120;
const BEATS_TO_RENEW = 7_200;

/**
 * Ends what was taken back, and swaps certificates, soon after either has changed. Contract: never
 * rejects; what could not be done is tried again by the next beat. One call at a time.
 */
export function createBeat(parts: BeatParts): () => Promise<void> {
  const { watch, credentials } = parts;
  const trouble = createTrouble(parts.log);
  let beats = 0;
  let seen = parts.revision();
  let isLookDue = false;
  let isRenewalDue = false;
  const beat = async () => {
    beats += 1;
    const revision = parts.revision();
    const hasChanged = revision !== seen;
    // Before anything is looked at, so that a change in between is seen by the next beat.
    seen = revision;
    isLookDue ||= hasChanged || watch.isDue() || beats % BEATS_TO_LOOK === 0;
    isRenewalDue ||= hasChanged || beats % BEATS_TO_RENEW === 0;
    if (isLookDue) await watch.sweep();
    isLookDue = false;
    if (isRenewalDue && (await credentials.refresh())) parts.swap();
    isRenewalDue = false;
  };
  return async () => {
    try {
      await beat();
      trouble.over();
    } catch (reason) {
      trouble.met(reason);
    }
  };
}

/** Two beats a second could fill a log with the same line. */
function createTrouble(log: Log) {
  const told = new Set<string>();
  return {
    over: () => told.clear(),
    met(reason: unknown) {
      const error = PalyraError.from(reason);
      if (told.has(error.code)) return;
      told.add(error.code);
      log.error('standings or certificates could not be looked at, trying again', {
        error: redact(error),
      });
    },
  };
}
