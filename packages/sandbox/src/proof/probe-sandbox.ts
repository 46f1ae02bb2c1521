import type { Maker, TrialPlace } from './maker.ts';
import type { ProbeList } from './probe-list.ts';
import { openSite } from './site.ts';
import { refusalOf, refusedStep, stepVerdict } from './step-verdict.ts';
import { type Tried, tryInside } from './try-inside.ts';
import { tryLimits, tryMemory, tryProcesses } from './try-limits.ts';
import type { StepVerdict } from './verdict.ts';

/** Four sandboxes: what can be reached, what limits one process, how many there can be, what limits all. */
export async function probeSandbox(
  maker: Maker,
  list: ProbeList,
  { folder, signal }: TrialPlace,
): Promise<StepVerdict> {
  using site = openSite(folder, list.owner);
  const trial = { maker, list, site, signal };
  const inside = await tryInside(trial);
  const refusal = refusalOf(inside.ending);
  if (refusal !== '') return refusedStep({ ...maker, refusal });
  const limits = await withRoom(() => tryLimits(trial));
  const processes = await withRoom(() => tryProcesses(trial));
  const memory = await withRoom(() => tryMemory(trial));
  return stepVerdict(maker, [inside, limits, processes, memory]);
}

const TRIES = 3;
const NO_ROOM = /\bfork\b/;

/**
 * Where the kernel counts the processes of others too, those can leave no room for a single one: that says nothing
 * of the sandbox, and is tried again. Contract: whatever else did not hold is told at once.
 */
async function withRoom(attempt: () => Promise<Tried>): Promise<Tried> {
  for (let left = TRIES; ; left -= 1) {
    const tried = await attempt();
    if (left === 1 || !wasCrowdedOut(tried)) return tried;
  }
}

function wasCrowdedOut({ ending, findings }: Tried): boolean {
  const bad = findings.filter(({ holds }) => !holds).map(({ observed }) => observed);
  if (bad.length === 0) return false;
  // Not even the command itself could be started.
  if (ending.fault?.code === 'SANDBOX_FAILED') return true;
  const complaint = Buffer.from(ending.stderr).toString('utf8');
  const gotNone = ending.stdout.length === 0 && NO_ROOM.test(complaint);
  return gotNone || bad.some((observed) => NO_ROOM.test(observed));
}
