import { readFile } from 'node:fs/promises';

/** `Rss` counts pages in full, `Pss` counts those that processes share by halves, thirds and so on. */
export async function megabytes(pid: number, field: 'Rss' | 'Pss'): Promise<number> {
  const file = `/proc/${pid}/smaps_rollup`;
  const kibibytes = new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(
    await readFile(file, 'utf8'),
  )?.[1];
  if (kibibytes === undefined) throw new Error(`\`${file}\` does not tell \`${field}\``);
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Contract: nobody's, when it ended meanwhile. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(unlessGone);
  return text.split(' ').filter(Boolean).map(Number);
}

/** Its words, each ended by NUL. Contract: empty when it ended meanwhile. */
export async function commandLine(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(unlessGone);
}

const GONE: readonly unknown[] = ['ENOENT', 'ESRCH'];

function unlessGone(error: unknown): string {
  if (error instanceof Error && 'code' in error && GONE.includes(error.code)) return '';
  throw error;
}

/** It and everything below it. */
export async function treeOf(pid: number): Promise<readonly number[]> {
  const below = await Promise.all((await childrenOf(pid)).map(treeOf));
  return [pid, ...below.flat()];
}
