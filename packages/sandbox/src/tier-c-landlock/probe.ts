import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { INSIDE_ID } from '../tier-c-bubblewrap/plan.ts';

export type Run = (request: SandboxRequest, watch: RunWatch) => Promise<Ending>;

/**
 * Runs one harmless command for real: whether a step can be made is not known before. Contract: `folder`
 * is ours alone; throws SANDBOX_UNAVAILABLE with what the machine said. What holds against hostile ones is
 * for the prover to find out.
 */
export async function probe(run: Run, folder: string): Promise<void> {
  const workspace = join(folder, 'trial');
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace, { recursive: true });
  if (process.geteuid?.() === 0) chownSync(workspace, INSIDE_ID, INSIDE_ID);
  try {
    const ending = await run({ ...TRIAL, workspace }, SILENT);
    if (ending.kind === 'exited' && ending.code === 0) return;
    const why = ending.fault?.reason ?? `a trial ended with ${ending.signal ?? ending.code}`;
    throw new PalyraError('SANDBOX_UNAVAILABLE', why, { help: ending.fault?.help ?? '' });
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

const TRIAL = {
  tier: 'C',
  executable: 'true',
  arguments: [],
  directory: '.',
  environment: {},
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: 'palyra',
  session: 'trial',
  policySetHash: '',
} as const;

const SILENT: RunWatch = {
  signal: new AbortController().signal,
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
};
