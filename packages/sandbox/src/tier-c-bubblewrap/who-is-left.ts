import { type ProcessFacts, childrenOf, factsOf } from './processes.ts';

/**
 * Who is left of a sandbox. Everything in its namespace descends from its first process, and who loses a
 * parent becomes a child of it: when it has none, there is nobody, although its own end takes the kernel a
 * while longer.
 */

const BUSY_LOOKS = 10;
const FIRST_LOOK_MS = 1;
/** Whoever waits for an end hears of it at most so much late; a look costs a few microseconds. */
const LAST_LOOK_MS = 8;

export async function untilEmpty(first: ProcessFacts, starter: ProcessFacts): Promise<void> {
  for (let looks = 0; looks < BUSY_LOOKS; looks += 1) {
    if (isEmpty(first, starter)) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await until(() => isEmpty(first, starter));
}

/** The first process lets go of its mounts before it is dead. */
export async function untilDead(first: ProcessFacts): Promise<void> {
  await until(() => isGone(factsOf(first.pid), first));
}

/**
 * Whether there is nobody but the starter, if that. Contract: it starts nothing any more, so that whoever is
 * its child later was so before. On doubt somebody is left.
 */
export function isNobodyElseLeft(first: ProcessFacts, starter: ProcessFacts): boolean {
  // What it started can start others in its own place (`CLONE_PARENT`); nobody else becomes its child.
  if (childrenOf(starter.pid).length > 0) return false;
  const children = childrenOf(first.pid);
  if (children.length === 0) return true;
  if (children.length > 1 || children[0] !== starter.pid) return false;
  // There before and after the list was read, it stood in it all the time, and so the list is whole.
  return factsOf(starter.pid)?.startedAt === starter.startedAt;
}

function isEmpty(first: ProcessFacts, starter: ProcessFacts): boolean {
  // So most often: it has taken leave of its only child. Whoever is no more has no children either.
  if (childrenOf(first.pid).length === 0) return true;
  if (isGone(factsOf(first.pid), first)) return true;
  return factsOf(starter.pid)?.isDead === true && isNobodyElseLeft(first, starter);
}

function isGone(now: ProcessFacts | undefined, then: ProcessFacts): boolean {
  return now === undefined || now.isDead || now.startedAt !== then.startedAt;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let pause = FIRST_LOOK_MS; !isSo(); pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
}
