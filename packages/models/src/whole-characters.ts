import type { SaidEvent } from './model-port.ts';

/** Half of a character at the end of a piece; its other half begins the next one. */
const OPEN_HALF = /[\uD800-\uDBFF]$/;

/**
 * Joins characters that a server has cut in two: outside of the basic plane one is two escapes in
 * JSON, and who cuts texts by their length sends each in an event of its own.
 * Contract: half a character that nothing follows is not said.
 */
export class WholeCharacters {
  readonly #halves = { text: '', reasoning: '' };

  join(said: readonly SaidEvent[]): readonly SaidEvent[] {
    return said.flatMap((event): readonly SaidEvent[] => {
      if (event.kind !== 'text' && event.kind !== 'reasoning') return [event];
      const text = this.#halves[event.kind] + event.text;
      const half = OPEN_HALF.test(text) ? text.slice(-1) : '';
      this.#halves[event.kind] = half;
      const whole = half === '' ? text : text.slice(0, -1);
      return whole === '' ? [] : [{ ...event, text: whole }];
    });
  }
}
