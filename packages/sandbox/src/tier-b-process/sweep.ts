import { readFileSync, readdirSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { type ProcessFacts, factsOf, killExactly, treeOf } from '../tier-c-bubblewrap/processes.ts';

/** A variable that every process of one command inherits, unless it takes care not to. */
export const MARK = 'PALYRA_SANDBOX';

export interface Swept {
  readonly first: ProcessFacts;
  /** The value of the variable. */
  readonly mark: string;
}

const ROUNDS = 20;
const PAUSE_MS = 5;
const MAX_TREE = 100_000;

/**
 * Ends a command without a namespace: it, everything below it, and everything that carries its mark, again
 * and again until nothing new turns up. Contract: tells whether none was left that it could find.
 */
export async function sweep(libc: Libc, swept: Swept): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const alive = findAll(swept);
    if (alive.length === 0) return true;
    for (const facts of alive) killExactly(libc, facts);
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return findAll(swept).length === 0;
}

function findAll({ first, mark }: Swept): readonly ProcessFacts[] {
  const isStillFirst = factsOf(first.pid)?.startedAt === first.startedAt;
  const below = isStillFirst ? treeOf(first.pid, MAX_TREE) : [];
  const pids = new Set([...below, ...marked(mark)]);
  return [...pids].flatMap((pid) => {
    const facts = factsOf(pid);
    return facts === undefined || facts.isDead ? [] : [facts];
  });
}

function marked(mark: string): readonly number[] {
  const wanted = `${MARK}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(wanted))
    .map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // Gone, or another user's: ours can be read.
    return [];
  }
}
