import { closeSync, openSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { DEFAULT_LIMITS } from '../limits.ts';
import { INSIDE_ID } from '../tier-c-bubblewrap/plan.ts';
import { identityOf } from '../executables/open-executable.ts';
import { type Finding, findings, insist } from './observe.ts';
import { type Way, plan } from './plan.ts';
import { startProcess } from './start.ts';
import { type Workshop, checkTool } from './workshop.ts';

/** What this machine was seen to allow. */
export interface Verdict {
  readonly way: Way;
  readonly findings: readonly Finding[];
  /** Why the better way was not taken, in the machine's own words; empty when it was. */
  readonly weaknesses: readonly string[];
}

/** Starts a launcher for real, looks at it, and ends it. Contract: throws SANDBOX_UNAVAILABLE when no way works. */
export async function probe(workshop: Workshop): Promise<Verdict> {
  try {
    checkTool(workshop.bwrap);
    return {
      way: 'pid-namespace',
      findings: await tryWay(workshop, 'pid-namespace'),
      weaknesses: [],
    };
  } catch (reason) {
    const why = PalyraError.from(reason).message;
    checkTool(workshop.setpriv);
    const found = await tryWay(workshop, 'process-group');
    return { way: 'process-group', findings: found, weaknesses: [`${NO_NAMESPACE} (${why})`] };
  }
}

const NO_NAMESPACE =
  'what the command starts is sought out and ended, which is best effort, and outlives a gateway that is killed: this machine gives it no process namespace';

const O_PATH_FOLDER = 0o10000000 | 0o200000;

async function tryWay(workshop: Workshop, way: Way): Promise<readonly Finding[]> {
  using stack = new DisposableStack();
  const folder = stack.adopt(openSync('/', O_PATH_FOLDER), closeSync);
  const made = plan(NOTHING, {
    way,
    program: '',
    calledAs: '',
    environment: [],
    runAs: workshop.isRoot ? { uid: INSIDE_ID, gid: INSIDE_ID } : undefined,
    others: 0,
  });
  const parts = { ...workshop, folder, program: workshop.starter, name: workshop.nextName() };
  const waiting = await startProcess(made, parts);
  try {
    const found = findings({ shell: waiting.starter, way, folder: identityOf(folder) });
    insist(found);
    return found;
  } finally {
    await waiting.end();
    for (const stream of [waiting.stdin, waiting.stdout, waiting.stderr]) stream.destroy();
  }
}

/** The launcher waits for its line, and never gets one. */
const NOTHING = {
  tier: 'B',
  executable: '',
  arguments: [],
  workspace: '/',
  directory: '.',
  environment: {},
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'none' },
  principal: '',
  session: '',
  policySetHash: '',
} as const;
