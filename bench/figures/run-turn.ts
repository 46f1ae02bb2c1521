import { setTimeout as sleep } from 'node:timers/promises';
import type { PalyraClient } from '@palyra/client';
import { type Figure, ONE_ROUND, type Scale } from '../figure.ts';
import { DURATION, type Run, interleave, subject } from '../harness.ts';
import { askModel, grantCall, openAgentSite, runThrough, spawnBare } from '../rig/agent.ts';
import { summarise } from '../summary.ts';

const RUN = 'a run with one granted call';
const FOLLOW_UP = 'the same in a session that goes on';
const DIRECT = 'the same model and a bare spawn';
const PROMPT = 'go';
/** What was said before is told again: a session that goes on for ever would be another figure. */
const RUNS_A_SESSION = 10;
/** A daemon runs for weeks: what it compiles in its first seconds would be told of whatever is measured first. */
const WARM_UPS = 30;
/** Nobody goes on sooner: the cage that is made behind a command is ready by then. */
const PAUSE_MS = 100;

export const runTurn: Figure = {
  says: 'A whole run with one gated call that a grant covers, from the request to its recorded end, with a model that answers at once, in a session of its own and in one that goes on; against asking the same model twice and starting the program bare.',
  targets: [RUN, FOLLOW_UP].map((name) => {
    return { kind: 'difference', subject: name, baseline: DIRECT, limit: { atMost: 25 } };
  }),
  measure: async (scale) => {
    await using site = await openAgentSite();
    await grantCall(site.client, PROMPT);
    const against = { port: site.model.port, scale };
    // First: cages that wait for sessions which are over would leave no room for theirs.
    const followUps = await measureBeside(FOLLOW_UP, followUpsOf(site.client), against);
    const timeRun = () => timed(() => runThrough(site.client, PROMPT));
    const runs = await measureBeside(RUN, timeRun, against);
    const notes = [
      'The run makes eighteen durable entries in five commits, decides three times, from memory because a run before it has made the same call, runs `true` in a cage of tier C and signs the evidence.',
      'In a session of its own nothing waits for it: its cage is made from the moment on in which it is asked for, because the run before it in the same folder has run a command.',
      `In a session that goes on each run is asked for ${PAUSE_MS} ms after the one before.`,
      ratioOf(RUN, runs),
      ratioOf(FOLLOW_UP, followUps),
    ];
    return { runs: [runs, followUps], notes };
  },
};

interface Against {
  readonly port: number;
  readonly scale: Scale;
}

function measureBeside(
  name: string,
  timeRun: () => Promise<number>,
  { port, scale }: Against,
): Promise<Run> {
  return interleave({
    title: name,
    quantity: DURATION,
    subjects: [subject(name, timeRun), subject(DIRECT, () => timed(() => direct(port)))],
    ...(scale === 'small' ? ONE_ROUND : { warmUps: WARM_UPS, rounds: 60 }),
  });
}

/** The first run of each session is not timed. */
function followUpsOf(client: PalyraClient): () => Promise<number> {
  let sessionId = '';
  let runs = 0;
  const run = () => runThrough(client, PROMPT, sessionId);
  return async () => {
    if (runs % RUNS_A_SESSION === 0) {
      sessionId = (await client.sessions.createSession({})).session?.sessionId ?? '';
      await run();
    }
    runs += 1;
    await sleep(PAUSE_MS);
    return await timed(run);
  };
}

function ratioOf(name: string, { series, quantity }: Run): string {
  const [run, bare] = [name, DIRECT].map((each) => summarise(series[each] ?? [], quantity));
  const times = (by: 'median' | 'best') => ((run?.[by] ?? 0) / (bare?.[by] ?? 0)).toFixed(1);
  return `By the medians, ${name} takes ${times('median')} times as long as ${DIRECT}; by the best rounds ${times('best')} times.`;
}

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
