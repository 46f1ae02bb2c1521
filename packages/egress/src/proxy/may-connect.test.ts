import { describe, expect, it } from 'vitest';
import type { Connecting } from '../may-connect.ts';
import { PUBLIC_ADDRESS, restOf, open, startOrigin, startProxy, talk } from './proxy.fixture.ts';

const GREETING = Buffer.from([5, 1, 0]);

/** `site.example:80`, by its name. */
const SOCKS = Buffer.concat([
  Buffer.from([5, 1, 0, 3, 12]),
  Buffer.from('site.example'),
  Buffer.from([0, 80]),
]);

describe('rules that are asked about a connection', () => {
  it('are told the host as the list spells it, and every address that may be dialled', async () => {
    await using origin = await startOrigin();
    const asked: Connecting[] = [];
    await using proxy = await startProxy({
      entries: [`site.example:80`],
      lookup: async () => [PUBLIC_ADDRESS, '2606:4700::1111'],
      leadsTo: origin.port,
      mayConnect: async (to) => {
        asked.push(to);
        return true;
      },
    });
    const answer = await talk(proxy.port, 'GET http://SITE.example/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toContain('200');
    const addresses = [PUBLIC_ADDRESS, '2606:4700::1111'];
    expect(asked).toEqual([{ host: 'site.example', port: 80, addresses }]);
  });

  it.each([
    ['no', async () => false],
    ['nothing for want of an answer', () => Promise.reject(new TypeError('gone'))],
  ])('and say %s keep it from being dialled', async (_, mayConnect) => {
    await using proxy = await startProxy({
      entries: ['site.example:80', 'tcp:site.example:81'],
      lookup: async () => [PUBLIC_ADDRESS],
      log: 'silent',
      mayConnect,
    });
    const plain = await talk(proxy.port, 'GET http://site.example/ HTTP/1.1\r\nHost: x\r\n\r\n');
    const tunnel = await talk(proxy.port, 'CONNECT site.example:81 HTTP/1.1\r\nHost: x\r\n\r\n');
    const socket = open(proxy.port);
    socket.write(Buffer.concat([GREETING, SOCKS]));
    const socks = await restOf(socket);
    expect([plain, tunnel].join('\n')).not.toContain('HTTP/1.1 200');
    expect(socks.charCodeAt(3)).not.toBe(0);
    expect(await proxy.recorded(3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ decision: 'refused', address: '' })),
    );
    expect(proxy.dialled).toEqual([]);
  });

  it('have their no told to whoever asked, and recorded as theirs', async () => {
    await using proxy = await startProxy({
      entries: ['site.example:80'],
      lookup: async () => [PUBLIC_ADDRESS],
      mayConnect: async () => false,
    });
    const answer = await talk(proxy.port, 'GET http://site.example/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*\(rules-refuse\)/s);
    const [record] = await proxy.recorded(1);
    expect(record).toMatchObject({ host: 'site.example', reason: 'rules-refuse' });
  });

  it('are not asked about whom the list does not hold, nor about a private address', async () => {
    let asked = 0;
    await using proxy = await startProxy({
      entries: ['site.example:80'],
      lookup: async () => ['10.0.0.1'],
      mayConnect: async () => (asked += 1) > 0,
    });
    for (const host of ['site.example', 'other.example']) {
      await talk(proxy.port, `GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    expect(asked).toBe(0);
    expect(proxy.dialled).toEqual([]);
  });
});
