import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { TlsDialer, type TlsGateway, diallingFor } from '@palyra/client';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { RATE, interleave, subject } from '../harness.ts';
import { daemonHome } from '../rig/home.ts';
import { startBareServer, startDaemon } from '../rig/server.ts';
import { enrolAt, makeBareTls } from '../rig/tls-file.ts';

const OURS = 'palyrad, handshakes';
const BARE = 'bare node:tls, handshakes';

export const tlsHandshake: Figure = {
  says: 'New connections with a client certificate, from the first packet to the first byte of the server, one after another, against a node:tls server that checks the certificate and writes a byte.',
  // At most 1.3 times as long is at least 1/1.3 of the rate.
  targets: [{ kind: 'ratio', subject: OURS, baseline: BARE, limit: { atLeast: 0.77 } }],
  measure: async (scale) => {
    await using home = await daemonHome();
    await using _daemon = await startDaemon(home);
    const device = await enrolAt(home);
    const bareTls = await makeBareTls(home);
    await using bare = await startBareServer('bare-tls.ts', home, bareTls.file);
    const theirs = { ...bareTls.client, address: `127.0.0.1:${bare.port}` };
    const sampleMs = scale === 'small' ? 50 : 800;
    const run = await interleave({
      title: 'handshakes',
      quantity: RATE,
      subjects: [
        subject(OURS, () => handshakeRate(device, sampleMs)),
        subject(BARE, () => handshakeRate(theirs, sampleMs)),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 15 }),
    });
    return { runs: [run], notes: [] };
  },
};

async function handshakeRate(gateway: TlsGateway, sampleMs: number): Promise<number> {
  const dialer = new TlsDialer(diallingFor(gateway, 'h2'));
  const startedAt = performance.now();
  let handshakes = 0;
  while (performance.now() - startedAt < sampleMs) {
    const socket = dialer.dial();
    await once(socket, 'data');
    socket.destroy();
    handshakes += 1;
  }
  return handshakes / ((performance.now() - startedAt) / 1_000);
}
