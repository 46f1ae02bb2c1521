import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../model.ts';
import { type Probe, fails, shows } from './probe.ts';
import { type Site, sleepers } from './site.ts';

const MIB = 1024 * 1024;

/** Tight, so that it costs little to reach them. */
export const TIGHT: Limits = {
  cpuTimeMs: 10_000,
  wallTimeMs: 20_000,
  memoryBytes: 64 * MIB,
  outputBytes: MIB,
  // More than a user's other programs start in a moment: some steps share one count with them.
  processes: 64,
  fileBytes: 4 * MIB,
  openFiles: 64,
  scratchBytes: 2 * MIB,
};

const ALIVE = '3 alive';
const APART = '< /dev/null > /dev/null 2>&1';

export function limitProbes(site: Site): readonly Probe[] {
  return [...sizeProbes(site), treeProbe(site)];
}

function sizeProbes({ workspace }: Site): readonly Probe[] {
  return [
    shows(
      {
        id: 'limits.file',
        says: `write a file of ${(2 * TIGHT.fileBytes) / MIB} MiB`,
        line: `{ head -c ${2 * TIGHT.fileBytes} /dev/zero > inner/big; } 2> /dev/null; wc -c < inner/big`,
        outside: () => {
          const size =
            statSync(join(workspace, 'inner', 'big'), { throwIfNoEntry: false })?.size ?? 0;
          return size <= TIGHT.fileBytes ? '' : `there is a file of ${size} bytes`;
        },
      },
      { expected: `ends at ${TIGHT.fileBytes / MIB} MiB`, holds: isAtMost(TIGHT.fileBytes) },
    ),
    fails(
      {
        id: 'limits.scratch',
        says: 'fill `/tmp`',
        line: `head -c ${TIGHT.scratchBytes} /dev/zero > "$TMPDIR/full"; s=$?; rm "$TMPDIR/full"; exit $s`,
      },
      { expected: 'refused', holds: /^No space left on device$/ },
    ),
    fails(
      {
        id: 'limits.memory',
        says: `take ${(4 * TIGHT.memoryBytes) / MIB} MiB of memory at once`,
        line: `dd if=/dev/zero of=/dev/null bs=${4 * TIGHT.memoryBytes} count=1`,
      },
      {
        expected: 'refused',
        holds: /^memory exhausted|^out of memory|^Cannot allocate|^Killed/i,
        tell: (observed) => observed.replace(/^(memory exhausted).*/, '$1'),
      },
    ),
    fails(
      {
        id: 'limits.raise',
        says: 'raise a limit again',
        line: `ulimit -H -n ${TIGHT.openFiles + 1}`,
      },
      {
        expected: 'refused',
        holds: /Operation not permitted/,
        tell: (observed) => observed.replace(/^.*(Operation not permitted).*$/, '$1'),
      },
    ),
  ];
}

function treeProbe({ nap }: Site): Probe {
  return shows(
    {
      id: 'tree.hides',
      says: 'outlive its command',
      line: [
        'command -v setsid sleep > /dev/null || exit',
        `setsid sleep ${nap} ${APART} & a=$!`,
        `(trap '' HUP INT TERM; exec sleep ${nap} ${APART}) & b=$!`,
        // It stops itself: one that is stopped before it became a program would keep streams of ours.
        `sh -c 'kill -STOP $$; exec sleep "$0"' ${nap} ${APART} & c=$!`,
        `kill -0 $a && kill -0 $b && kill -0 $c && echo ${ALIVE}`,
      ].join('\n'),
      outside: (site) => {
        const left = sleepers(site);
        return left.length === 0 ? '' : `${left.length} of them still live`;
      },
    },
    {
      expected: 'all end',
      holds: (observed) => observed === ALIVE,
      tell: (observed) => (observed === ALIVE ? 'all ended' : observed),
    },
  );
}

export function isAtMost(most: number): (observed: string) => boolean {
  return (observed) => /^[1-9]\d*$/.test(observed) && Number(observed) <= most;
}

/**
 * Tells how many it could start: nothing else can be started then. Where the kernel counts those of others too, some
 * of which end meanwhile, it gets more: it stays until whoever watches has seen that.
 */
export function crowdScript({ nap }: Site): string {
  const stay = `trap '[ $i -le ${TIGHT.processes} ] || wait' EXIT`;
  return `${stay}; i=0; while [ $i -lt ${4 * TIGHT.processes} ]; do sleep ${nap} ${APART} & i=$((i+1)); echo $i; done`;
}

/** Many that are each within their bounds: only the whole is too much. */
const HOGS = 8;

export function hogScript({ nap }: Site): string {
  const share = (2 * TIGHT.memoryBytes) / HOGS;
  const hog = `dd if=/dev/zero bs=${share} count=1 2> /dev/null | sleep ${nap}`;
  return `i=0; while [ $i -lt ${HOGS} ]; do { ${hog}; } & i=$((i+1)); done; wait; echo it worked`;
}
