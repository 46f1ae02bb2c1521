import type { Bytes } from '@palyra/kernel';
import { flushCompileCache } from 'node:module';
import { mock } from 'node:test';
import { createTierC } from './tier-c.ts';
import type { FromHost, ToHost } from './cage.fixture.ts';

// Now, since most are killed, and those of a user may not write there later.
flushCompileCache();

/** Stands for the process that alone makes sandboxes; as a user it lays its rights down first. */
const [folder = '', warmth = 'cold', uid = ''] = process.argv.slice(2);
const LIFE_MS = 60_000;
if (uid !== '' && process.geteuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const say = (message: FromHost) => void process.send?.(message);
const running = new Map<number, AbortController>();
const passTime = warmth === 'pool' ? holdTime() : undefined;

try {
  const tier = createTierC({
    folder,
    ...(warmth === 'cold' ? {} : { pool: { perKey: 2, maxAgeMs: LIFE_MS } }),
  });
  const pool = {
    settle: () => tier.settled(),
    age: async () => {
      passTime?.(LIFE_MS);
      await tier.settled();
    },
    drain: () => tier.drain(),
    close: () => tier[Symbol.asyncDispose](),
  } as const;
  const answer = async (message: Exclude<ToHost, { readonly kind: 'cancel' }>) => {
    if (!('request' in message)) {
      await pool[message.kind]();
      return say({ kind: 'done', id: message.id });
    }
    const { id, request, input } = message;
    if (message.kind === 'prepare') {
      return say({ kind: 'prepared', id, ...(await tier.prepare(request)) });
    }
    if (message.kind === 'expect') {
      await tier.warm(request);
      return say({ kind: 'done', id });
    }
    const controller = new AbortController();
    running.set(id, controller);
    // What is refused is told by the run itself.
    if (warmth === 'always') await tier.warm(request).catch(() => {});
    const ending = await tier.run(request, {
      signal: controller.signal,
      onOutput: (stream, bytes) =>
        say({ kind: 'output', id, stream, text: Buffer.from(bytes).toString('latin1') }),
      onConnection: () => {},
      mayConnect: async () => false,
      ...(input && { input: piecesOf(input) }),
    });
    // What is taken away behind the answer is gone before anybody looks.
    if (warmth !== 'pool') await tier.drain();
    say({ kind: 'ended', id, ending });
  };
  process.on('message', (message: ToHost) => {
    if (message.kind === 'cancel') running.get(message.id)?.abort();
    else void answer(message);
  });
  process.once('disconnect', () => process.exit(0));
  say({ kind: 'ready' });
} catch (error) {
  const help = error instanceof Error && 'help' in error ? error.help : '';
  say({ kind: 'failed', reason: `${String(error)}: ${String(help)}` });
}

async function* piecesOf(texts: readonly string[]): AsyncGenerator<Bytes> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/**
 * Time passes beat by beat, as far as this process gets to work, so that nothing grows old only because
 * the machine is busy; and by as much as whoever is given this says.
 */
function holdTime(): (ms: number) => void {
  const beatMs = 10;
  let nowMs = performance.now();
  mock.method(performance, 'now', () => nowMs);
  mock.timers.enable({ apis: ['setTimeout'] });
  const pass = (ms: number) => {
    nowMs += ms;
    mock.timers.tick(ms);
  };
  setInterval(() => pass(beatMs), beatMs);
  return pass;
}
