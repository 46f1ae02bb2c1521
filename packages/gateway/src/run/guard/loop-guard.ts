import { StopReason } from '@palyra/protocol';
import type { RunSettings } from '../../settings.ts';
import { LimitReached } from '../limit-reached.ts';
import type { SeenCall } from './seen-call.ts';

export type GuardVerdict =
  | { readonly kind: 'fine' }
  /** What the model is to be told. */
  | { readonly kind: 'warned'; readonly says: string }
  | { readonly kind: 'stopped'; readonly limit: LimitReached };

export type GuardSettings = Pick<RunSettings, 'max_repeats' | 'max_denials'>;

/** With other calls in between, and no file changed since, so many times as much is too much. */
const BETWEEN_OTHERS = 2;
/** The model hears of it from this part of the way on. */
const WARNING = 0.6;

interface Repeated {
  readonly result: string;
  readonly times: number;
}

/**
 * Notices a run that goes round in circles. INVARIANT: a run is stopped only for what its model was
 * warned about in an earlier turn.
 */
export class LoopGuard {
  readonly #settings: GuardSettings;
  /** How often each call had the result it had last, since a file was changed. */
  readonly #repeats = new Map<string, Repeated>();
  /** What the model was warned about, and in which turn. */
  readonly #warnings = new Map<string, number>();
  #turn = 0;
  #last = '';
  #inARow = 0;
  #denials = 0;

  /** `past` is what the run saw before. */
  constructor(settings: GuardSettings, past: readonly SeenCall[]) {
    this.#settings = settings;
    for (const call of past) this.seeTurn([call]);
  }

  /** Contract: called with the calls of each turn, in the order in which the model hears of them. */
  seeTurn(calls: readonly SeenCall[]): readonly GuardVerdict[] {
    this.#turn += 1;
    return calls.map((call) => this.#see(call));
  }

  #see(call: SeenCall): GuardVerdict {
    const repeats = this.#count(call);
    const { max_repeats, max_denials } = this.#settings;
    const denials = this.#verdict('', this.#denials / max_denials);
    if (denials !== 'fine') return verdictOf(denials, StopReason.DENIALS, max_denials);
    const most = Math.max(this.#inARow, repeats / BETWEEN_OTHERS);
    const repeated = this.#verdict(call.call, most / max_repeats);
    return verdictOf(repeated, StopReason.REPEATED_CALL, max_repeats);
  }

  /** By how much of the limit is reached. */
  #verdict(about: string, part: number): GuardVerdict['kind'] {
    if (part < WARNING) {
      this.#warnings.delete(about);
      return 'fine';
    }
    const warnedIn = this.#warnings.get(about) ?? this.#turn;
    this.#warnings.set(about, warnedIn);
    return part >= 1 && warnedIn < this.#turn ? 'stopped' : 'warned';
  }

  #count({ call, result, isDenied, isChange }: SeenCall): number {
    const both = `${call} ${result}`;
    this.#inARow = both === this.#last ? this.#inARow + 1 : 1;
    this.#last = both;
    this.#denials = isDenied ? this.#denials + 1 : 0;
    if (isChange) this.#repeats.clear();
    const known = this.#repeats.get(call);
    const times = known?.result === result ? known.times + 1 : 1;
    this.#repeats.set(call, { result, times });
    return times;
  }
}

const REPEATED =
  'note of the gateway: this call had this very result before. Making it again will not change that, and the run is stopped if it goes on; do something else, or say what is missing';
const DENIED =
  'note of the gateway: one call after the other was refused, and the run is stopped if it goes on; do without, or say what you would need';

function verdictOf(
  kind: GuardVerdict['kind'],
  reason: typeof StopReason.DENIALS | typeof StopReason.REPEATED_CALL,
  limit: number,
): GuardVerdict {
  const isDenial = reason === StopReason.DENIALS;
  switch (kind) {
    case 'fine':
      return { kind };
    case 'warned':
      return { kind, says: isDenial ? DENIED : REPEATED };
    case 'stopped':
      return { kind, limit: isDenial ? tooManyDenials(limit) : tooManyRepeats(limit) };
  }
}

function tooManyDenials(limit: number): LimitReached {
  return new LimitReached(
    StopReason.DENIALS,
    `${limit} calls in a row were refused (\`runs.max_denials\`)`,
    '`palyra policy explain ENTRY` tells why each was; allow what the task needs',
  );
}

function tooManyRepeats(limit: number): LimitReached {
  return new LimitReached(
    StopReason.REPEATED_CALL,
    `the same call had the same result again and again (\`runs.max_repeats\` is ${limit})`,
    'give the task in other words, or raise the named limit under `[runs]` in palyra.toml',
  );
}
