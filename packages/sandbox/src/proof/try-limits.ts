import { findingOf } from './findings.ts';
import { requestFor } from './maker.ts';
import { TIGHT, hogScript } from './probes-limits.ts';
import { readAnswers, scriptOf } from './script.ts';
import { sleepers } from './site.ts';
import { type SandboxTrial, type Tried, leftoverFinding } from './try-inside.ts';

/** Limits of one process, and a tree that hides while its command ends by itself. */
export async function tryLimits({ maker, list, site, signal }: SandboxTrial): Promise<Tried> {
  const probes = list.limits(site);
  const trial = { script: scriptOf(probes), limits: TIGHT };
  const ending = await maker.run(requestFor(site, trial), signal);
  await maker.settle();
  const answers = readAnswers(Buffer.from(ending.stdout).toString('utf8'));
  const findings = probes.map((probe) => findingOf(probe, answers.get(probe.id), { site, ending }));
  leftoverFinding(site);
  return { ending, findings };
}

/** Memory of all processes together; whoever reaches it is ended by force, with everything. */
export async function tryMemory({ maker, site, signal }: SandboxTrial): Promise<Tried> {
  const trial = { script: hogScript(site), limits: TIGHT };
  const ending = await maker.run(requestFor(site, trial), signal);
  await maker.settle();
  const { fault, posture, kind } = ending;
  const isEnded = fault?.code === 'SANDBOX_QUOTA_EXCEEDED';
  const by = posture.memory === 'cgroup' ? 'kernel' : 'best effort';
  const left = sleepers(site).length;
  return {
    ending,
    findings: [
      {
        id: 'limits.memory-together',
        says: 'take too much memory together',
        expected: 'ended',
        observed: isEnded ? `ended (${by})` : (fault?.reason ?? kind),
        holds: isEnded,
      },
      {
        id: 'tree.killed',
        says: 'outlive an end by force',
        expected: 'all end',
        observed: left === 0 ? 'all ended' : `${left} still live`,
        holds: isEnded && left === 0,
      },
    ],
  };
}
