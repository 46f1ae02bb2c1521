import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory, readPrivateFile, replaceForNow } from '@palyra/private-files';
import { VERDICT, type Verdict } from './verdict.ts';

const MAX_BYTES = 512 * 1024;
/** Whoever has several versions on one machine need not prove each anew whenever another one has started. */
const MOST_KEPT = 8;
const NAME = /^[0-9a-f]{64}\.json$/;

/**
 * The verdict that was kept for exactly this machine. Contract: `undefined` for a file that is missing,
 * damaged, somebody else's, or of another machine, kernel, profile or version; it is then proven anew.
 */
export function readKept(folder: string, fingerprint: string): Verdict | undefined {
  const verdict = parse(readOurs(placeOf(folder, fingerprint)));
  return verdict?.fingerprint === fingerprint ? verdict : undefined;
}

/** Contract: readable for us alone; the old one or the new one, whole. The oldest of too many go. */
export function keep(folder: string, verdict: Verdict): void {
  makePrivateDirectory(folder);
  replaceForNow(placeOf(folder, verdict.fingerprint), JSON.stringify(verdict));
  const files = readdirSync(folder).filter((name) => NAME.test(name));
  const newestFirst = files
    .map((name) => ({ path: join(folder, name), keptMs: keptMs(join(folder, name)) }))
    .toSorted((a, b) => b.keptMs - a.keptMs);
  for (const { path } of newestFirst.slice(MOST_KEPT)) rmSync(path, { force: true });
}

function placeOf(folder: string, fingerprint: string): string {
  return join(folder, `${fingerprint}.json`);
}

function keptMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readOurs(file: string): string | undefined {
  try {
    return readPrivateFile(file, MAX_BYTES);
  } catch {
    // Whatever stands there is not our word: it is neither believed nor a reason to stop.
    return undefined;
  }
}

function parse(text: string | undefined): Verdict | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = VERDICT.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
