import { closeSync, fchownSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import type { Account } from './mapped-workspace.ts';
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

/** Our end of a pipe, and the one that a child gets. */
export interface PipeEnds {
  readonly mine: number;
  readonly its: number;
}

/**
 * The pipes of orders, of a command and of what is reported about it. INVARIANT: each end belongs to one of the two as
 * soon as it is there: for the next pipe there may be no descriptor left.
 */
export function openPipes(
  { libc, runAs }: { readonly libc: Libc; readonly runAs: Account | undefined },
  ours: DisposableStack,
  theirs: Opened,
): Readonly<Record<'orders' | 'stdin' | 'stdout' | 'stderr' | 'report', PipeEnds>> {
  const open = (mineIs: 'read' | 'write'): PipeEnds => {
    const pipe = libc.pipe();
    const mine = ours.adopt(pipe[mineIs], closeSync);
    const its = theirs.add(pipe[mineIs === 'read' ? 'write' : 'read']);
    // Programs open their streams by name, which asks for the rights of whoever runs them.
    if (runAs !== undefined) fchownSync(its, runAs.uid, runAs.gid);
    return { mine, its };
  };
  return {
    orders: open('write'),
    stdin: open('write'),
    stdout: open('read'),
    stderr: open('read'),
    report: open('read'),
  };
}
