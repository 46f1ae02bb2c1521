import { readdirSync, readlinkSync } from 'node:fs';
import { BWRAP } from '../tier-c-bubblewrap/bwrap-binary.ts';

/**
 * Ends bubblewrap's processes that hold something of a folder whose owner is gone. One whose outer half was
 * killed in the moment between its birth and its first word waits for that word for ever: it has no
 * signal for its parent's death yet. It has run nothing, and nobody else would end it.
 * Contract: the folder is nobody's any more; never throws.
 */
export function endStragglers(folder: string): void {
  for (const name of namesIn('/proc').filter((each) => /^\d+$/.test(each))) {
    if (linkOf(`/proc/${name}/exe`) === BWRAP && holds(name, `${folder}/`)) end(Number(name));
  }
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
