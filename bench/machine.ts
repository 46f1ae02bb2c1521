import { availableParallelism, loadavg, totalmem } from 'node:os';
import { run } from '../tools/run.ts';

export interface Circumstances {
  readonly date: string;
  readonly commit: string;
  /** In neutral words: what a reader needs to compare, and nothing that names a machine. */
  readonly machine: string;
}

export async function circumstances(now: Date): Promise<Circumstances> {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return {
    date: now.toISOString().slice(0, 10),
    commit: await commit(),
    machine: `${availableParallelism()} cores, ${gibibytes} GiB of memory, ${process.platform} on ${process.arch}, Node ${process.versions.node}`,
  };
}

/** Of the last minute. */
export function load(): number {
  return loadavg()[0] ?? 0;
}

async function commit(): Promise<string> {
  const head = await git('rev-parse', '--short=12', 'HEAD');
  if (head === undefined) return 'not in a checkout';
  const changes = await git('status', '--porcelain', '--', '.', ':!docs/benchmarks*');
  return changes === '' ? head : `${head} with changes`;
}

/** Contract: `undefined` outside of a checkout, and on a machine without git. */
async function git(...args: string[]): Promise<string | undefined> {
  const result = await run({ program: 'git', args, output: 'keep' }).catch(() => undefined);
  return result?.code === 0 ? result.output.trim() : undefined;
}
