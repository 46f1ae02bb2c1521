import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { makePrivateDirectory, readPrivateFile, replaceForNow } from '@palyra/private-files';
import { fingerprintOf } from './fingerprint.ts';
import { type MachineFacts, type StepVerdict, VERDICT, type Verdict } from './verdict.ts';

const MAX_BYTES = 512 * 1024;
/** Whoever has several versions on one machine need not prove each anew whenever another one has started. */
const MOST_KEPT = 8;
const NAME = /^[0-9a-f]{64}\.json$/;

/**
 * The verdict that was kept for exactly this machine. Contract: `undefined` for a file that is missing,
 * damaged, somebody else's, or of another machine, kernel, profile or version; it is then proven anew.
 */
export function readKept(folder: string, fingerprint: string): Verdict | undefined {
  const verdict = parse(readOurs(placeOf(folder, fingerprint)));
  return verdict?.fingerprint === fingerprint ? verdict : undefined;
}

/** Contract: readable for us alone; the old one or the new one, whole. The oldest of too many go. */
export function keep(folder: string, verdict: Verdict): void {
  makePrivateDirectory(folder);
  replaceForNow(placeOf(folder, verdict.fingerprint), JSON.stringify(verdict));
  const files = readdirSync(folder).filter((name) => NAME.test(name));
  const newestFirst = files
    .map((name) => ({ path: join(folder, name), keptMs: keptMs(join(folder, name)) }))
    .toSorted((a, b) => b.keptMs - a.keptMs);
  for (const { path } of newestFirst.slice(MOST_KEPT)) rmSync(path, { force: true });
}

function placeOf(folder: string, fingerprint: string): string {
  return join(folder, `${fingerprint}.json`);
}

function keptMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readOurs(file: string): string | undefined {
  try {
    return readPrivateFile(file, MAX_BYTES);
  } catch {
    // Whatever stands there is not our word: it is neither believed nor a reason to stop.
    return undefined;
  }
}

function parse(text: string | undefined): Verdict | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = VERDICT.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

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

const MAX_TRIES = 3;
