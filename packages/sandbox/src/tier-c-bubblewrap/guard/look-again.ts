import { PalyraError, quote } from '@palyra/kernel';
import { type Guarded, type ScanOptions, obeyedNames } from './scan.ts';

/** More would be looked through after every command for what the next one sees anyway. */
const MOST_NAMES = 20_000;
const MAX_TOLD = 5;

/**
 * What a command made of names that other programs obey: outside of repositories nothing lies on a name
 * that is missing. From now on they are guarded like any other. Contract: in words, and never rejects.
 */
export async function lookAgain(
  workspace: number,
  before: readonly Guarded[],
  options: Omit<ScanOptions, 'mostNames'>,
): Promise<readonly string[]> {
  try {
    const known = new Set(before.map(({ path }) => path));
    const there = await obeyedNames(workspace, { ...options, mostNames: MOST_NAMES });
    const made = there.filter((path) => !known.has(path));
    return made.length === 0 ? [] : [madeWords(made)];
  } catch (reason) {
    return [`nobody looked for new names that other programs obey: ${messageOf(reason)}`];
  }
}

function madeWords(paths: readonly string[]): string {
  const told = paths.slice(0, MAX_TOLD).map(quote).join(', ');
  const more = paths.length > MAX_TOLD ? ` and ${paths.length - MAX_TOLD} more` : '';
  return `other programs obey what appeared meanwhile: ${told}${more}; look at it before you use it`;
}

function messageOf(reason: unknown): string {
  return PalyraError.from(reason).message;
}
