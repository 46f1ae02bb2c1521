import { flushCompileCache } from 'node:module';
import { dialOnSystem } from '@palyra/egress';
import { systemClock } from '@palyra/kernel';
import { createTierC, type RunWatch, type TierC, type WayOutPort } from '@palyra/sandbox';
import { createLog } from '../log.ts';
import { createWayOut } from '../way-out.ts';
import type { FromHost, HostOptions, ToHost } from './box.fixture.ts';

// Now, since most are killed, and those of a user may not write there later.
flushCompileCache();

/** Stands for sandboxd with names and secrets of the test's choice; as a user it lays its rights down first. */
process.once('message', (options: HostOptions) => {
  if (options.uid !== undefined) {
    process.setgroups?.([]);
    process.setgid?.(options.uid);
    process.setuid?.(options.uid);
  }
  const isWarm = options.warmth === 'warm';
  const tier = createTierC({
    folder: options.folder,
    wayOut: wayOutFor(options),
    ...(isWarm ? { pool: { perKey: 1 } } : {}),
  });
  const mayConnect: RunWatch['mayConnect'] = async ({ host }) => !options.refused.includes(host);
  process.on('message', (message: ToHost) => void run(tier, message, { isWarm, mayConnect }));
  process.once('disconnect', () => void tier[Symbol.asyncDispose]().then(() => process.exit(0)));
  say({ kind: 'ready' });
});

function say(message: FromHost): void {
  process.send?.(message);
}

function wayOutFor(options: HostOptions): WayOutPort {
  return createWayOut({
    clock: systemClock(),
    log: createLog((line) => say({ kind: 'logged', line })),
    fillRandom: (bytes) => crypto.getRandomValues(bytes),
    secretPort: {
      reveal: (name) => {
        say({ kind: 'revealed', name });
        return known(options.secrets[name]);
      },
    },
    ceilings: options.ceilings,
    lookup: (name) => known(options.addresses[name]),
    dial: (to, signal) => {
      say({ kind: 'dialled', to: `${to.address}:${to.port}` });
      // Whatever the proxy was led to, a test reaches this machine alone.
      if (to.address !== '127.0.0.1') return Promise.reject(new Error('not from a test'));
      return dialOnSystem(to, signal);
    },
    trusted: options.trusted,
  });
}

function known<Value>(value: Value | undefined): Promise<Value> {
  return value === undefined ? Promise.reject(new Error('none')) : Promise.resolve(value);
}

async function run(
  tier: TierC,
  { id, request }: ToHost,
  { isWarm, mayConnect }: Pick<RunWatch, 'mayConnect'> & { readonly isWarm: boolean },
): Promise<void> {
  // What is refused is told by the run itself.
  if (isWarm) await tier.warm(request).catch(() => {});
  const ending = await tier.run(request, {
    signal: new AbortController().signal,
    onOutput: (_stream, bytes) =>
      say({ kind: 'output', id, text: Buffer.from(bytes).toString('latin1') }),
    onConnection: (record) => say({ kind: 'connection', id, record }),
    mayConnect,
  });
  if (isWarm) await tier.settled();
  say({ kind: 'ended', id, ending });
}
