import { PalyraError } from './errors.ts';

export interface SlotBounds {
  /** For one person at once. */
  readonly each: number;
  readonly inAll: number;
  /** What is under way, as a refusal names it: `a search`. */
  readonly one: string;
  readonly many: string;
}

/**
 * How much of something may be under way at once, so that many who only look cannot take the machine
 * from those who work, nor one from the others. Nobody waits for a slot: that would be another line.
 */
export class Slots {
  readonly #bounds: SlotBounds;
  readonly #taken: string[] = [];

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** Contract: OVERLOADED when there is none left, or none for them. Dispose of it to give it back. */
  take(whose: string): Disposable {
    const { each, inAll, one, many } = this.#bounds;
    const taken = this.#taken;
    if (taken.filter((other) => other === whose).length >= each) {
      throw overloaded(each === 1 ? `${one} of yours is` : `${each} ${many} of yours are`);
    }
    if (taken.length >= inAll) {
      throw overloaded(inAll === 1 ? `${one} of others is` : `${inAll} ${many} are`);
    }
    taken.push(whose);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) taken.splice(taken.indexOf(whose), 1);
        isHeld = false;
      },
    };
  }
}

function overloaded(what: string): PalyraError {
  return new PalyraError('OVERLOADED', `${what} under way already`, {
    help: 'try again when that has ended',
  });
}
