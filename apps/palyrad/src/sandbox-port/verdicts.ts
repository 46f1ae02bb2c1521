import { type Log, PalyraError, redact } from '@palyra/kernel';
import type { Sandboxes, StepVerdict, Verdict } from '../sandbox-process.ts';

/** What was proven on this machine, for everybody in the daemon. */
export interface Verdicts {
  /** Contract: never rejects; `undefined` where nobody could find out, and then the next one tries again. */
  current(): Promise<Verdict | undefined>;
  /** Tries everything anew. Contract: rejects when nobody could; what was known then still counts. */
  prove(onStep: (step: StepVerdict) => void): Promise<Verdict>;
  /** As far as it is known at this moment; nobody waits. */
  known(): Knowledge;
}

export interface Knowledge {
  readonly verdict?: Verdict;
  /** Why it could not be found out when that was last tried. */
  readonly fault?: PalyraError;
  readonly isProving: boolean;
}

export function createVerdicts(
  sandboxes: Pick<Sandboxes, 'verdict' | 'prove'>,
  log: Log,
): Verdicts {
  let known: Omit<Knowledge, 'isProving'> = {};
  let finding: Promise<Verdict | undefined> | undefined;
  let underWay = 0;
  const learn = async (ask: () => Promise<Verdict>): Promise<Verdict> => {
    underWay += 1;
    try {
      const verdict = await ask();
      known = { verdict };
      return verdict;
    } catch (reason) {
      known = { ...known, fault: PalyraError.from(reason) };
      throw reason;
    } finally {
      underWay -= 1;
    }
  };
  const find = async (): Promise<Verdict | undefined> => {
    try {
      return await learn(() => sandboxes.verdict());
    } catch (reason) {
      const error = PalyraError.from(reason);
      // Whoever stops the gateway while it tries has asked for nothing else.
      if (error.code !== 'SHUTTING_DOWN') {
        log.warn('nobody knows what sandboxes hold here', { error: redact(error) });
      }
      return undefined;
    } finally {
      finding = undefined;
    }
  };
  return {
    current: async () => known.verdict ?? (await (finding ??= find())),
    prove: async (onStep) => await learn(() => sandboxes.prove(onStep)),
    known: () => ({ ...known, isProving: underWay > 0 }),
  };
}
