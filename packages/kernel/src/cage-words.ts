/**
 * What a program may do once it runs: the walls of its cage alone bind it, not what its call names. Whoever
 * grants a command grants all of this. A tier without walls, or one that is not known, promises nothing.
 */
export function cageWords(tier: string, hostWords: string): string {
  if (tier !== WALLED) {
    return 'without walls: it may read and write whatever its user may, and reach any host';
  }
  return `it may read and write anywhere in the workspace but for protected names, ${hostWords}`;
}

const WALLED = 'C';
