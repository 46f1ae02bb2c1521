import { readFileSync } from 'node:fs';
import { type Libc, openLibc } from './libc.ts';

const MADVISE = process.arch === 'arm64' ? 233 : 28;
const MADV_DONTNEED = 4;

/**
 * Lets go of the pages of programs that only the start needed: half of what a Node holds. They are on the
 * disk, and in memory once for everybody who runs the same Node; what is used again comes back by itself.
 * INVARIANT: only of what is still as it is in its file. Contract: never throws.
 */
export function letGoOfStart(): void {
  if (process.platform !== 'linux') return;
  try {
    const libc = openLibc();
    for (const range of untouchedRanges(readFileSync('/proc/self/smaps', 'utf8'))) {
      letGo(libc, range);
    }
  } catch {
    // Then it stays as large as it is.
  }
}

interface Range {
  readonly start: number;
  readonly bytes: number;
}

/** Mappings of files that may only be read or run: addresses, rights, offset, device, inode, name. */
const HEAD = /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p [0-9a-f]+ [0-9a-f]+:[0-9a-f]+ [1-9]\d* +\//;
/** Of what is read-only now a loader may have written some before, which is in no file. */
const WRITTEN = /^Anonymous: +[1-9]/m;

export function untouchedRanges(smaps: string): readonly Range[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((mapping) => {
    const [, from, to] = HEAD.exec(mapping) ?? [];
    const isWhole = /^Anonymous: /m.test(mapping) && !WRITTEN.test(mapping);
    if (from === undefined || to === undefined || !isWhole) return [];
    const start = Number.parseInt(from, 16);
    return [{ start, bytes: Number.parseInt(to, 16) - start }];
  });
}

function letGo(libc: Libc, { start, bytes }: Range): void {
  libc.syscall(MADVISE, [start, bytes, MADV_DONTNEED]);
}
