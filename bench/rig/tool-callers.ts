import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { NODE, hasEnded, howItEnded } from './child.ts';
import { type Site, sandboxSite } from './sandbox-site.ts';

/** What a tool caller does when it is asked: one call in a cage, one bare spawn, or nothing for as long. */
const ASKED = ['call', 'spawn', 'rest'] as const;
export type Asked = (typeof ASKED)[number];

const TOLD = z.object({
  ms: z.number(),
  /** Processor time of the thread with the event loop. */
  cpuMs: z.number(),
  /** The longest that it kept others waiting. */
  blockMs: z.number(),
});
export type Told = z.infer<typeof TOLD>;
const READY = z.object({ rssMb: z.number() });

/** A process of a certain size that calls tools as the daemon does. */
export interface ToolCaller extends AsyncDisposable {
  readonly rssMb: number;
  ask(what: Asked): Promise<Told>;
}

export function isAsked(message: unknown): message is Asked {
  return ASKED.some((asked) => asked === message);
}

export async function startToolCaller(megabytes: number): Promise<ToolCaller> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await sandboxSite());
  const child = startChild(megabytes, site);
  stack.defer(async () => {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  const next = async () => {
    const stop = new AbortController();
    const ended = once(child, 'exit', { signal: stop.signal }).then(() => {
      throw new Error(`the process that calls tools ended with ${howItEnded(child)}`);
    });
    const heard = once(child, 'message', { signal: stop.signal });
    try {
      const [message]: unknown[] = await Promise.race([heard, ended]);
      return message;
    } finally {
      ended.catch(() => {});
      heard.catch(() => {});
      stop.abort();
    }
  };
  const { rssMb } = READY.parse(await next());
  const held = stack.move();
  return {
    rssMb,
    ask: async (what) => {
      child.send(what);
      return TOLD.parse(await next());
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function startChild(megabytes: number, { folder, workspace }: Site) {
  const program = join(import.meta.dirname, 'tool-caller.ts');
  return spawn(NODE, [program, String(megabytes), folder, workspace], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
