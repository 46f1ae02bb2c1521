import { closeSync } from 'node:fs';
import type { CagePlan, Descriptor, PlanWord } from './plan.ts';

/** What has the lower numbers: the streams, the report, and the options themselves. */
export const OPTIONS = 7;
const FIRST = OPTIONS + 1;

/** Which number each descriptor of a plan has inside bwrap, in the order in which they stand there. */
export function numberDescriptors({
  options,
}: Pick<CagePlan, 'options'>): ReadonlyMap<Descriptor, number> {
  const named = options.flatMap((word) => (typeof word === 'string' ? [] : [word.descriptor]));
  return new Map(named.map((name, place) => [name, FIRST + place]));
}

/** The number that none of them has. */
export function afterLast(numbers: ReadonlyMap<Descriptor, number>): number {
  return FIRST + numbers.size;
}

/** The options as bwrap reads them, each ended by NUL: they stand on no command line. */
export function optionBytes(
  options: readonly PlanWord[],
  numbers: ReadonlyMap<Descriptor, number>,
): Buffer<ArrayBuffer> {
  const words = options.map((word) =>
    typeof word === 'string' ? word : `${numbers.get(word.descriptor)}`,
  );
  if (words.some((word) => word.includes('\0'))) throw new RangeError('an option holds a NUL');
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}

/** Closes every descriptor that was opened, when the block that opened them ends. */
export class Opened implements Disposable {
  readonly #descriptors: number[] = [];

  add(descriptor: number): number {
    this.#descriptors.push(descriptor);
    return descriptor;
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor);
  }
}
