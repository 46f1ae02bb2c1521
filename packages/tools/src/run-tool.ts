import { type JsonObject, PalyraError, quote } from '@palyra/kernel';
import { runFsList } from './fs-list/run.ts';
import { runFsPatch } from './fs-patch/run.ts';
import { runFsRead } from './fs-read/run.ts';
import { runFsSearch } from './fs-search/run.ts';
import { runFsWrite } from './fs-write/run.ts';
import type { ToolHands, ToolOutput } from './hands.ts';
import { settle } from './settle.ts';

type Run = (args: JsonObject, hands: ToolHands, signal: AbortSignal) => Promise<Uint8Array>;

const RUNS: ReadonlyMap<string, Run> = new Map([
  ['fs.list', runFsList],
  ['fs.patch', runFsPatch],
  ['fs.read', runFsRead],
  ['fs.search', runFsSearch],
  ['fs.write', runFsWrite],
]);

export interface ToolRun {
  readonly name: string;
  /** Canonical, as the manifest gave them. */
  readonly arguments: JsonObject;
}

/** What this package runs itself; the others need more than a workspace. */
export function canRun(name: string): boolean {
  return RUNS.has(name);
}

/**
 * Runs a call that was decided. Contract: never rejects; a signal that is aborted gives CANCELLED and
 * leaves nothing half done.
 */
export async function runTool(
  { name, arguments: args }: ToolRun,
  hands: ToolHands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  return await settle(async () => {
    const run = RUNS.get(name);
    if (run === undefined) throw new PalyraError('NOT_BUILT', `${quote(name)} cannot be run here`);
    return { bytes: await run(args, hands, signal) };
  }, signal);
}
