import { PalyraError } from '@palyra/kernel';
import { fingerprintOf } from './fingerprint.ts';
import { keep, readKept } from './kept.ts';
import type { MachineFacts, StepVerdict, Verdict } from './verdict.ts';

export interface VerdictDesk {
  /** The kept one, or a new one. Contract: many may ask at once; it is tried once. */
  readonly verdict: () => Promise<Verdict>;
  /**
   * Always a new one, which is kept from then on. Contract: whoever asks while it is tried shares it,
   * and is told of all its steps.
   */
  readonly prove: (onStep?: TellStep) => Promise<Verdict>;
}

/** Told of each step when it has been tried. Contract: must not throw. */
export type TellStep = (step: StepVerdict) => void;

export interface VerdictDeskParts {
  /** For verdicts alone; made when it is missing. */
  readonly folder: string;
  /** The machine as it is now. */
  readonly machine: () => Promise<MachineFacts>;
  /** Which file bwrap is at this moment: what was proven of another one is not believed. */
  readonly bwrapFile: () => string;
  readonly prove: (machine: MachineFacts, onStep: TellStep) => Promise<Verdict>;
  /** Told when a verdict could not be written: it counts, and is found again at the next start. */
  readonly onUnkept: (reason: PalyraError) => void;
}

/** A proof that is under way, with what was told of it. */
interface Trial {
  readonly told: readonly StepVerdict[];
  readonly listeners: TellStep[];
  readonly end: Promise<Verdict>;
}

const MAX_TRIES = 3;

export function createVerdictDesk(parts: VerdictDeskParts): VerdictDesk {
  let known: Promise<Verdict> | undefined;
  let trying: Trial | undefined;
  const tryNow = async (onStep: TellStep): Promise<Verdict> => {
    const verdict = await parts.prove(await parts.machine(), onStep);
    try {
      keep(parts.folder, verdict);
    } catch (reason) {
      parts.onUnkept(PalyraError.from(reason));
    }
    return verdict;
  };
  const begin = (): Trial => {
    const [told, listeners]: [StepVerdict[], TellStep[]] = [[], []];
    const end = tryNow((step) => {
      told.push(step);
      for (const tell of listeners) tell(step);
    });
    return { told, listeners, end: end.finally(() => (trying = undefined)) };
  };
  const prove = (onStep: TellStep = () => {}): Promise<Verdict> => {
    const { told, listeners, end: proof } = (trying ??= begin());
    // Whoever comes while it is under way is told all of it, too.
    for (const step of told) onStep(step);
    listeners.push(onStep);
    known = proof;
    // What nobody could try proves nothing, and what was kept before still counts.
    proof.catch(() => {
      if (known === proof) known = undefined;
    });
    return proof;
  };
  const find = async (): Promise<Verdict> => {
    const kept = readKept(parts.folder, fingerprintOf(await parts.machine()));
    return kept ?? (await prove());
  };
  const current = (): Promise<Verdict> => {
    known ??= find().catch((reason: unknown) => {
      known = undefined;
      throw reason;
    });
    return known;
  };
  return {
    prove,
    verdict: async () => {
      for (let left = MAX_TRIES; left > 0; left -= 1) {
        const asked = current();
        const verdict = await asked;
        if (verdict.machine.bwrapFile === parts.bwrapFile()) return verdict;
        if (known === asked) known = undefined;
      }
      throw new PalyraError('SANDBOX_UNAVAILABLE', 'bubblewrap is exchanged again and again', {
        help: 'try it again when its installation is over',
      });
    },
  };
}
