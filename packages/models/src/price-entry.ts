import type { Prices } from './price.ts';

/** One line of `models.prices`. */
export interface PriceEntry {
  /** `PROVIDER:MODEL` */
  readonly name: string;
  readonly prices: Prices;
}

export const MAX_PRICES = 64;
export const MAX_PRICE_LENGTH = 400;

const NUMBER = /^\d{1,6}(?:\.\d{1,9})?$/;
const NAME = /^(?:openai|anthropic|google):\S{1,256}$/;

/**
 * `anthropic:claude-opus-5 5 25 0.5 6.25`: US dollars for a million tokens of input, of output, of
 * input from the provider's cache and of input written to it; the last two may be left out and then
 * cost what other input does. Contract: `undefined` for anything else.
 */
export function parsePrice(text: string): PriceEntry | undefined {
  const [name = '', ...numbers] = text.split(' ');
  const isWhole = numbers.length >= 2 && numbers.length <= 4;
  if (text.length > MAX_PRICE_LENGTH || !isWhole || !NAME.test(name)) return undefined;
  if (!numbers.every((number) => NUMBER.test(number))) return undefined;
  const [input = 0, output = 0, cached = input, cacheWrite = input] = numbers.map(Number);
  return { name, prices: { input, output, cached, cacheWrite } };
}
