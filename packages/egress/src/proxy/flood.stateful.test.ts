import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { open, startOrigin, startProxy, talk } from './proxy.fixture.ts';

const FLOOD = 10_000;
/** Fewer than the kernel lets wait to be accepted: beyond that it tries again only after a second. */
const WAVE = 250;

it('a sandbox that opens ten thousand connections, and keeps what it gets, disturbs no other', async () => {
  await using origin = await startOrigin();
  const entries = [`127.0.0.1:${origin.port}`];
  await using noisy = await startProxy({ entries, ceilings: { helloMs: 100_000 } });
  await using quiet = await startProxy({ entries });
  const request = `GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
  const held: Socket[] = [];
  while (held.length < FLOOD) {
    const wave = Array.from({ length: WAVE }, () => open(noisy.port));
    for (const socket of wave) socket.write('GET http://slow');
    held.push(...wave);
    expect(await talk(quiet.port, request)).toMatch(/^HTTP\/1\.1 200 /);
    while (noisy.served.totals().dropped + 128 < held.length) await setImmediate();
  }
  expect(noisy.served.totals()).toMatchObject({ connections: 128, dropped: FLOOD - 128 });
  expect(noisy.records.map(({ reason }) => reason)).toEqual(['too-many-connections']);
  for (const socket of held) socket.destroy();
  await noisy.recorded(129);
  expect(await talk(noisy.port, request)).toMatch(/^HTTP\/1\.1 200 /);
});
