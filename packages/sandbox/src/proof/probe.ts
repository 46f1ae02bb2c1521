import type { Site } from './site.ts';

/** One hostile thing to try: what is done inside, and what must be true inside and outside. */
export interface Probe {
  /** Stable, for scripts: `files.write-usr`. */
  readonly id: string;
  /** For people. */
  readonly says: string;
  readonly expected: string;
  /** A line of the shell inside; what it prints, or the kernel's own words for its failure, is observed. */
  readonly line: string;
  /** What is only tried, and what prints something. */
  readonly kind: 'attempt' | 'look';
  readonly holds: (observed: string) => boolean;
  /** What was observed, in words; without it as it is. */
  readonly tell?: (observed: string) => string;
  /** What is wrong on the machine afterwards. Contract: empty when nothing is; tidies up what it finds. */
  readonly outside?: (site: Site) => string;
}

type Named = Pick<Probe, 'id' | 'says' | 'line'> & { readonly outside?: (site: Site) => string };

/** The kernel's words for no. What says anything else, or that there is no such program, was not refused. */
const REFUSALS = new Set([
  'Operation not permitted',
  'Permission denied',
  'Read-only file system',
  'No such file or directory',
  // Shells say the same in other words.
  'No such file',
  'Directory nonexistent',
  // What lies under a mask is another file system's.
  'Invalid cross-device link',
]);

export function refused(named: Named): Probe {
  return {
    ...named,
    kind: 'attempt',
    expected: 'refused',
    holds: (observed) => REFUSALS.has(observed),
  };
}

/** Where nothing works at all, everything seems refused. */
export function works(named: Named): Probe {
  return { ...named, kind: 'attempt', expected: 'works', holds: (observed) => observed === WORKED };
}

interface Seen {
  readonly expected: string;
  readonly holds: RegExp | ((observed: string) => boolean);
  readonly tell?: (observed: string) => string;
}

/** It must fail, and in this way. */
export function fails(named: Named, seen: Seen): Probe {
  return { ...shows(named, seen), kind: 'attempt' };
}

export function shows(named: Named, { expected, holds, tell }: Seen): Probe {
  return {
    ...named,
    kind: 'look',
    expected,
    holds: typeof holds === 'function' ? holds : (observed) => holds.test(observed),
    ...(tell && { tell }),
  };
}

/** What the script says for an attempt that came through. */
export const WORKED = 'it worked';
