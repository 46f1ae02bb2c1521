import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { type Destination, dialOnSystem } from '../dial.ts';
import { parseHostRules } from '../host-rule.ts';
import { failingLog, startOrigin, startTlsOrigin, testAuthority } from '../proxy/proxy.fixture.ts';
import type { ConnectionRecord } from '../record.ts';
import { type ReachOrder, reach } from './reach.ts';

const NEVER = new AbortController().signal;

interface Setup {
  /** What every name leads to. */
  readonly leadsTo?: readonly string[];
  readonly trusted?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Dials for real; everything that a test can dial is of this machine. */
async function reaching(order: Partial<ReachOrder>, setup: Setup = {}) {
  const records: ConnectionRecord[] = [];
  const dialled: Destination[] = [];
  const looked: string[] = [];
  const outcome = await reach(
    {
      id: 'call',
      host: 'site.example',
      port: 80,
      scheme: 'http',
      request: 'GET /',
      listed: [],
      mayConnect: async () => true,
      onRecord: (record) => records.push(record),
      ...order,
    },
    {
      clock: systemClock(),
      log: failingLog,
      lookup: (name) => {
        looked.push(name);
        return Promise.resolve(setup.leadsTo ?? ['127.0.0.1']);
      },
      dial: (to, signal) => {
        dialled.push(to);
        return dialOnSystem(to, signal);
      },
      trusted: setup.trusted ?? [],
    },
    setup.signal ?? NEVER,
  );
  return { outcome, records, dialled, looked };
}

const PRIVATE = [
  '127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0',
  '::1 fe80::1 fd00::1 ::ffff:8.8.8.8 64:ff9b::a00:1 2002:a00:1::',
].flatMap((addresses) => addresses.split(' '));

const listed = (port: number) => parseHostRules([`127.0.0.1:${port}`]);

async function ask(stream: Socket): Promise<string> {
  const asked = request({ createConnection: () => stream, path: '/a', headers: { host: 'x' } });
  asked.end();
  const [answer] = await once(asked, 'response');
  const pieces = await answer.toArray();
  return Buffer.concat(pieces).toString();
}

describe('reaching a host for a call', () => {
  it('looks the name up once, dials what was checked, and leaves one record', async () => {
    await using origin = await startOrigin(() => 'hello');
    const { port } = origin;
    const { outcome, records, dialled, looked } = await reaching({ port, listed: listed(port) });
    if (outcome.kind !== 'reached') throw new Error(outcome.reason);
    expect(await ask(outcome.stream)).toBe('hello');
    outcome.end();
    outcome.end('idle');
    expect(looked).toEqual(['site.example']);
    expect(dialled).toEqual([{ address: '127.0.0.1', port }]);
    expect(records).toMatchObject([
      { sandbox: 'call', door: 'fetch', host: 'site.example', port, address: '127.0.0.1' },
    ]);
    expect(records).toMatchObject([{ decision: 'allowed', reason: '', request: 'GET /' }]);
    expect(records[0]?.bytesDown).toBeGreaterThan(5);
    expect(records[0]?.bytesUp).toBeGreaterThan(5);
  });

  it('dials nobody to whom the rules do not let it, and asks them about what the name led to', async () => {
    const asked: unknown[] = [];
    const mayConnect = async (to: unknown) => {
      asked.push(to);
      return false;
    };
    const leadsTo = ['93.184.216.34'];
    const { outcome, records, dialled } = await reaching({ mayConnect }, { leadsTo });
    expect(outcome).toEqual({ kind: 'refused', reason: 'rules-refuse' });
    expect(asked).toEqual([{ host: 'site.example', port: 80, addresses: leadsTo }]);
    expect(dialled).toEqual([]);
    expect(records).toMatchObject([{ decision: 'refused', reason: 'rules-refuse' }]);
  });

  it.each(PRIVATE)('dials nobody when the name leads to %s', async (address) => {
    for (const leadsTo of [[address], ['93.184.216.34', address]]) {
      const { outcome, records, dialled } = await reaching({}, { leadsTo });
      expect(outcome).toEqual({ kind: 'refused', reason: 'address-forbidden' });
      expect(dialled).toEqual([]);
      expect(records).toMatchObject([{ decision: 'refused', reason: 'address-forbidden' }]);
    }
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[fe80::1]', '[64:ff9b::a00:1]'])(
    'does not take it from a call that %s may be dialled',
    async (host) => {
      const { outcome, dialled } = await reaching({ host });
      expect(outcome).toEqual({ kind: 'refused', reason: 'address-not-listed' });
      expect(dialled).toEqual([]);
    },
  );

  it('dials a listed address at its port and at no other', async () => {
    await using origin = await startOrigin(() => 'hello');
    const { port } = origin;
    const order = { host: '127.0.0.1', port, listed: listed(port) };
    const { outcome } = await reaching(order);
    expect(outcome.kind).toBe('reached');
    if (outcome.kind === 'reached') outcome.end();
    const other = await reaching({ ...order, listed: listed(port === 1 ? 2 : 1) });
    expect(other.outcome).toEqual({ kind: 'refused', reason: 'port-not-listed' });
    const elsewhere = parseHostRules([`site.example:${port}`, `*.site.example:${port}`]);
    const byName = await reaching({ ...order, listed: elsewhere });
    expect(byName.outcome).toEqual({ kind: 'refused', reason: 'address-not-listed' });
  });

  it.each(['', 'a b', '0x7f.1', '2130706433', '127.1', 'site.example:80', '::1', 'xn--a', 'a..b'])(
    'refuses the host %j',
    async (host) => {
      const { outcome, looked } = await reaching({ host });
      expect(outcome).toEqual({ kind: 'refused', reason: 'host-malformed' });
      expect(looked).toEqual([]);
    },
  );

  it('speaks TLS only with who proves to be that host', async () => {
    const authority = await testAuthority();
    await using origin = await startTlsOrigin(authority, () => 'secret');
    const { port } = origin;
    const order = { port, scheme: 'https', listed: listed(port) } as const;
    const trusted = [authority.certificatePem];
    const { outcome, records } = await reaching(order, { trusted });
    if (outcome.kind !== 'reached') throw new Error(outcome.reason);
    expect(await ask(outcome.stream)).toBe('secret');
    outcome.end();
    expect(records[0]?.bytesDown).toBeGreaterThan(6);

    const unknown = await reaching(order);
    expect(unknown.outcome).toEqual({ kind: 'refused', reason: 'upstream-untrusted' });
    const contextFor = () => authority.contextFor({ kind: 'name', name: 'other.example' });
    await using impostor = await startTlsOrigin({ ...authority, contextFor });
    const there = { port: impostor.port, listed: listed(impostor.port) };
    const other = await reaching({ ...order, ...there }, { trusted });
    expect(other.outcome).toEqual({ kind: 'refused', reason: 'upstream-untrusted' });
    expect(other.records).toMatchObject([{ decision: 'allowed', reason: 'upstream-untrusted' }]);
  });

  it('ends with the signal, before and after it has reached somebody', async () => {
    await using origin = await startOrigin(() => 'hello');
    const { port } = origin;
    const order = { port, listed: listed(port) };
    const before = await reaching(order, { signal: AbortSignal.abort() });
    expect(before.outcome).toMatchObject({ kind: 'refused' });
    expect(before.records).toMatchObject([{ reason: 'left' }]);

    const stop = new AbortController();
    const { outcome, records } = await reaching(order, { signal: stop.signal });
    if (outcome.kind !== 'reached') throw new Error(outcome.reason);
    const closed = once(outcome.stream, 'close');
    stop.abort();
    await closed;
    expect(records).toMatchObject([{ reason: 'left', decision: 'allowed' }]);
  });

  it('says that nobody is there', async () => {
    const origin = await startOrigin(() => '');
    const { port } = origin;
    await origin[Symbol.asyncDispose]();
    const { outcome } = await reaching({ port, listed: listed(port) });
    expect(outcome).toEqual({ kind: 'refused', reason: 'upstream-unreachable' });
  });
});
