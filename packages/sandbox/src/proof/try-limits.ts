import { findingOf } from './findings.ts';
import { requestFor } from './maker.ts';
import { TIGHT, crowdScript, hogScript, isAtMost } from './probes-limits.ts';
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

/**
 * As many processes as it gets. The kernel refuses more, or, where it counts those of others too, the
 * command is ended with all of them.
 */
export async function tryProcesses({ maker, site, signal }: SandboxTrial): Promise<Tried> {
  const trial = { script: crowdScript(site), limits: TIGHT };
  const ending = await maker.run(requestFor(site, trial), signal);
  await maker.settle();
  const { fault, stdout } = ending;
  const started = Buffer.from(stdout).toString('utf8').trim().split('\n').at(-1) ?? '';
  const isEnded = fault?.code === 'SANDBOX_QUOTA_EXCEEDED';
  const left = sleepers(site).length;
  const observed = isEnded ? 'ended (best effort)' : (fault?.reason ?? started);
  return {
    ending,
    findings: [
      {
        id: 'limits.processes',
        says: `start ${4 * TIGHT.processes} processes`,
        expected: `at most ${TIGHT.processes}`,
        observed: left === 0 ? observed : `${observed}; outside: ${left} of them still live`,
        holds:
          left === 0 && (isEnded || (fault === undefined && isAtMost(TIGHT.processes)(started))),
      },
    ],
  };
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
