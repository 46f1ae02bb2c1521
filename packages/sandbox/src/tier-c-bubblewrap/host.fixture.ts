import { createTierC } from './tier-c.ts';
import type { FromHost, ToHost } from './cage.fixture.ts';

/** Stands for the process that alone makes sandboxes; as a user it lays its rights down first. */
const [folder = '', uid = ''] = process.argv.slice(2);
if (uid !== '' && process.geteuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const say = (message: FromHost) => void process.send?.(message);
const running = new Map<number, AbortController>();

try {
  const tier = createTierC({ folder });
  process.on('message', (message: ToHost) => {
    if (message.kind === 'cancel') return running.get(message.id)?.abort();
    const { id, request } = message;
    if (message.kind === 'prepare') {
      const { plan, hash } = tier.prepare(request);
      return say({ kind: 'prepared', id, plan, hash });
    }
    const controller = new AbortController();
    running.set(id, controller);
    const onOutput = (stream: string, bytes: Uint8Array) =>
      say({ kind: 'output', id, stream, text: Buffer.from(bytes).toString('latin1') });
    void tier
      .run(request, { signal: controller.signal, onOutput })
      .then((ending) => say({ kind: 'ended', id, ending }));
  });
  process.once('disconnect', () => process.exit(0));
  say({ kind: 'ready' });
} catch (error) {
  const help = error instanceof Error && 'help' in error ? error.help : '';
  say({ kind: 'failed', reason: `${String(error)}: ${String(help)}` });
}
