import { PalyraError } from '@palyra/kernel';

/** Each takes a thread, and the wasm in it some fifty megabytes: more at once would be a way to harm. */
const MOST_AT_ONCE = 2;

/** So that many who only look cannot take the machine from those who work. */
export class JobSlots {
  #taken = 0;

  /** Contract: OVERLOADED when all are taken. Dispose of it to give it back. */
  take(): Disposable {
    if (this.#taken >= MOST_AT_ONCE) {
      throw new PalyraError('OVERLOADED', 'rules are being compared or tried already', {
        help: 'try again when that has ended',
      });
    }
    this.#taken += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#taken -= 1;
        isHeld = false;
      },
    };
  }
}
