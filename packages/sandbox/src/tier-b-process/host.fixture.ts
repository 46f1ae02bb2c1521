import { flushCompileCache } from 'node:module';
import { openLibc } from '../libc.ts';
import type { FromHost, ToHost } from './booth.fixture.ts';
import { createTierB } from './tier-b.ts';
import type { TierBOptions } from './workshop.ts';

// Now, since most are killed, and those of a user may not write there later.
flushCompileCache();

/** Stands for the process that alone starts others; as a user it lays its rights down first. */
const [uid = ''] = process.argv.slice(2);
const PRCTL = process.arch === 'arm64' ? 167 : 157;
const PR_SET_DUMPABLE = 4;
if (uid !== '' && process.geteuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
  // Whoever is started as a user is no secret to itself; whoever becomes one is, until it says so.
  openLibc().syscall(PRCTL, [PR_SET_DUMPABLE, 1]);
}
const say = (message: FromHost) => void process.send?.(message);

async function open(options: TierBOptions): Promise<void> {
  try {
    const tier = await createTierB(options);
    const watch = {
      signal: new AbortController().signal,
      onOutput: () => {},
      onConnection: () => {},
      mayConnect: async () => false,
    };
    process.on('message', ({ id, request }: ToHost) => {
      void tier.run(request, watch).then((ending) => say({ kind: 'ended', id, ending }));
    });
    say({ kind: 'ready', verdict: tier.verdict });
  } catch (error) {
    say({ kind: 'failed', reason: String(error) });
  }
}

process.once('disconnect', () => process.exit(0));
process.once('message', (options: TierBOptions) => void open(options));
