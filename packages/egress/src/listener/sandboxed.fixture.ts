// Runs inside a sandbox whose only way out is the listener; prints what it saw as JSON.
import { type EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';

const [plain = '', secure = '', denied = ''] = process.argv.slice(2);

async function text(url: string): Promise<string> {
  const answer = await fetch(url);
  return `${answer.status} ${(await answer.text()).trim()}`;
}

/** The event that came, or the code of the error that came instead. */
async function outcome(emitter: EventEmitter, event: string): Promise<unknown> {
  return once(emitter, event).then(
    () => event,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : 'failed'),
  );
}

const proxyPort = { port: 3128, host: '127.0.0.1' };
const seen = {
  plain: await text(plain),
  secure: await text(secure),
  denied: await text(denied),
  loopback: await outcome(connect(Number(new URL(plain).port), '127.0.0.1'), 'connect'),
  lan: await outcome(connect(80, '192.168.0.1'), 'connect'),
  ipv6: await outcome(connect(80, '2606:4700::1111'), 'connect'),
  port: await outcome(createServer().listen(proxyPort), 'listening'),
  shared: await outcome(createServer().listen({ ...proxyPort, reusePort: true }), 'listening'),
};
process.stdout.write(JSON.stringify(seen));
process.exit(0);
