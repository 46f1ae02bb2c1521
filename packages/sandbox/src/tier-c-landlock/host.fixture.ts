import { flushCompileCache } from 'node:module';
import { openLibc } from '../libc.ts';
import { refuseCalls } from './refuse-calls.fixture.ts';
import type { FromHost, HostOrder, ToHost } from './den.fixture.ts';
import { dieWithParent } from '../service/die-with-parent.ts';
import { createLandlock } from './landlock.ts';

// Now, since most are killed, and those of a user may not write there later.
flushCompileCache();

/** Stands for the process that alone makes sandboxes; as a user it lays its rights down first. */
const PRCTL = process.arch === 'arm64' ? 167 : 157;
const PR_SET_DUMPABLE = 4;
const say = (message: FromHost) => void process.send?.(message);
const running = new Map<number, AbortController>();

function become(uid: number): void {
  if (process.geteuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  // Whoever is started as a user is no secret to itself; whoever becomes one is, until it says so.
  openLibc().syscall(PRCTL, [PR_SET_DUMPABLE, 1]);
}

async function open({ folder, uid, ladder, refuse, lifeline }: HostOrder) {
  if (uid !== undefined) become(uid);
  if (lifeline !== undefined) await dieWithParent(lifeline).beforeStart();
  if (refuse !== undefined) refuseCalls(refuse);
  if (ladder === undefined) return { step: '', ...createLandlock({ folder }) };
  const { createLadder } = await import('../ladder.ts');
  return await createLadder({ folder, ...ladder });
}

async function serve(order: HostOrder): Promise<void> {
  try {
    const tier = await open(order);
    process.on('message', (message: ToHost) => {
      if (message.kind === 'cancel') return running.get(message.id)?.abort();
      const { id, request } = message;
      const controller = new AbortController();
      running.set(id, controller);
      const { signal } = controller;
      const onOutput = (_: string, bytes: Uint8Array) =>
        say({ kind: 'output', id, text: Buffer.from(bytes).toString('latin1') });
      void tier
        .run(request, { signal, onOutput, onConnection: () => {}, mayConnect: async () => false })
        .then((ending) => say({ kind: 'ended', id, ending }));
    });
    say({ kind: 'ready', step: tier.step });
  } catch (error) {
    say({ kind: 'failed', reason: String(error) });
  }
}

process.once('disconnect', () => process.exit(0));
process.once('message', (order: HostOrder) => void serve(order));
