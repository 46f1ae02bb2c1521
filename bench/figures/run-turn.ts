import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { askModel, grantCall, openAgentSite, runThrough, spawnBare } from '../rig/agent.ts';

const RUN = 'a run with one granted call';
const DIRECT = 'the same model and a bare spawn';
const PROMPT = 'go';

export const runTurn: Figure = {
  says: 'A whole run with one gated call that a grant covers, from the request to its recorded end, with a model that answers at once; against asking the same model twice and starting the program bare.',
  targets: [{ kind: 'difference', subject: RUN, baseline: DIRECT, limit: { atMost: 25 } }],
  measure: async (scale) => {
    await using site = await openAgentSite();
    await grantCall(site.client, PROMPT);
    const run = await interleave({
      title: 'a run with one call',
      quantity: DURATION,
      subjects: [
        subject(RUN, () => timed(() => runThrough(site.client, PROMPT))),
        subject(DIRECT, () => timed(() => direct(site.model.port))),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 10, rounds: 60 }),
    });
    const notes = [
      'The run makes eighteen durable entries in six commits, decides three times, runs `true` in a cage of tier C, made while the call is recorded and judged since each run is a session of its own, and signs the evidence.',
    ];
    return { runs: [run], notes };
  },
};

async function direct(port: number): Promise<void> {
  await askModel(port, '{"messages":[]}');
  await spawnBare();
  await askModel(port, '{"messages":[{"role":"tool"}]}');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
