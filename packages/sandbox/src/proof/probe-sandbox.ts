import type { Maker, TrialPlace } from './maker.ts';
import type { ProbeList } from './probe-list.ts';
import { openSite } from './site.ts';
import { refusalOf, refusedStep, stepVerdict } from './step-verdict.ts';
import { tryInside } from './try-inside.ts';
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
  const limits = await tryLimits(trial);
  const processes = await tryProcesses(trial);
  const memory = await tryMemory(trial);
  return stepVerdict(maker, [inside, limits, processes, memory]);
}
