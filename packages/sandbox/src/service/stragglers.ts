import { readdirSync, readlinkSync } from 'node:fs';
import { BWRAP } from '../tier-c-bubblewrap/bwrap-binary.ts';
import { factsOf, sessionOf } from '../tier-c-bubblewrap/processes.ts';

/**
 * Ends halves of bubblewrap that hold something of a folder and whose other half is gone. One whose outer
 * half was killed in the moment between its birth and its first word waits for that word for ever: it
 * has no signal for its parent's death yet. It has run nothing, and nobody else would end it.
 * Contract: never throws; whoever lives with both halves is left alone, so it may be called at any time.
 */
export function endStragglers(folder: string): void {
  for (const name of namesIn('/proc').filter((each) => /^\d+$/.test(each))) {
    const isOne = linkOf(`/proc/${name}/exe`) === BWRAP && holds(name, `${folder}/`);
    if (isOne && hasLostOuter(Number(name))) end(Number(name));
  }
}

/** Each outer half is started as the first of a session, which the other leaves when its mounts are made. */
function hasLostOuter(pid: number): boolean {
  const outer = sessionOf(pid);
  return outer !== undefined && outer !== pid && factsOf(outer)?.isDead !== false;
}

function holds(pid: string, start: string): boolean {
  return namesIn(`/proc/${pid}/fd`).some((descriptor) =>
    linkOf(`/proc/${pid}/fd/${descriptor}`).startsWith(start),
  );
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile, or is another user's.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone, or not ours to see.
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
