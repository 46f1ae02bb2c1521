import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, type Readings, interleave } from '../harness.ts';
import { type ToolCaller, startToolCaller } from '../rig/tool-callers.ts';

const CALL = { large: 'tool call, 1 GB', small: 'tool call, 100 MB' };
const SPAWN = { large: 'bare spawn, 1 GB', small: 'bare spawn, 100 MB' };
const RESTING = 'at rest, 1 GB';

export const sandboxLoop: Figure = {
  says: 'What a tool call costs the daemon: `echo hi` in a warm cage of tier C through sandboxd, by a process of 1 GB and by one of 100 MB, against a bare spawn by the same processes.',
  targets: [
    {
      kind: 'difference',
      subject: longestBlock(CALL.large),
      baseline: longestBlock(RESTING),
      limit: { atMost: 1 },
      by: 'p95',
    },
    { kind: 'ratio', subject: CALL.large, baseline: CALL.small, limit: { atMost: 1.3 } },
  ],
  measure: async (scale) => {
    await using large = await startToolCaller(scale === 'small' ? 200 : 1_000);
    await using small = await startToolCaller(100);
    const run = await interleave({
      title: 'one tool call',
      quantity: DURATION,
      subjects: [
        () => readings(large, 'call', CALL.large),
        () => readings(small, 'call', CALL.small),
        () => readings(large, 'spawn', SPAWN.large),
        () => readings(small, 'spawn', SPAWN.small),
        async () => ({ [longestBlock(RESTING)]: (await large.ask('rest')).blockMs }),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 5, rounds: 60 }),
    });
    const notes = [
      `The two processes have ${Math.round(large.rssMb)} and ${Math.round(small.rssMb)} MB. The longest block is the longest turn of an event loop that never sleeps, in another call than the one that is timed; at rest it turns for as long. The event loop has a processor of its own, and so has what it starts, so that nobody puts it aside. Processor time is that of the thread with the event loop, in one piece or several, whoever else was running.`,
    ];
    return { runs: [run], notes };
  },
};

function longestBlock(name: string): string {
  return `${name}: longest block`;
}

async function readings(
  caller: ToolCaller,
  asked: 'call' | 'spawn',
  name: string,
): Promise<Readings> {
  const { ms, cpuMs, blockMs } = await caller.ask(asked);
  return { [name]: ms, [longestBlock(name)]: blockMs, [`${name}: processor time`]: cpuMs };
}
