import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { SIZE, interleave, subject } from '../harness.ts';
import { grantCall, openAgentSite, runThrough } from '../rig/agent.ts';
import { megabytes } from '../rig/processes.ts';

const SESSION = 'an idle session';
const SETTLE_MS = 2_000;

export const sessionMemory: Figure = {
  says: 'Resident memory that the daemon keeps for a session whose run has ended.',
  targets: [{ kind: 'value', subject: SESSION, limit: { atMost: 200 } }],
  measure: async (scale) => {
    const count = scale === 'small' ? 2 : 500;
    const run = await interleave({
      title: 'memory of a session',
      quantity: SIZE,
      subjects: [subject(SESSION, () => kilobytesEach(count, scale === 'small' ? 0 : SETTLE_MS))],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 0, rounds: 3 }),
    });
    return { runs: [run], notes: [`Spread over ${count} sessions, after as many to warm up.`] };
  },
};

async function kilobytesEach(count: number, settleMs: number): Promise<number> {
  await using site = await openAgentSite();
  const open = async () => {
    for (let made = 0; made < count; made += 1) await runThrough(site.client, 'go');
    await sleep(settleMs);
    return await megabytes(site.daemon.pid, 'Rss');
  };
  await grantCall(site.client, 'go');
  const before = await open();
  // Memory that was given back in between is no debt of the sessions.
  return Math.max(0.1, (((await open()) - before) * 1_000) / count);
}
