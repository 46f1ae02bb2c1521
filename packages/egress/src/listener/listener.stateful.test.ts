import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@palyra/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseHostRules } from '../host-rule.ts';
import { failingLog, startOrigin, startTlsOrigin, testAuthority } from '../proxy/proxy.fixture.ts';
import { serveEgress } from '../proxy/serve.ts';
import type { ConnectionRecord } from '../record.ts';
import { listenerElf } from './listener-elf.ts';
import { receiveListener } from './receive-listener.ts';

const BWRAP = '/usr/bin/bwrap';
const PROBE = join(import.meta.dirname, 'sandboxed.fixture.ts');
const MACHINE = process.arch === 'arm64' ? 'arm64' : 'x64';
let folder = '';

beforeAll(() => {
  if (!existsSync(BWRAP)) throw new Error('install it with `apt-get install bubblewrap`');
  folder = mkdtempSync(join(tmpdir(), 'palyra-egress-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty network, the system, this Node, and the listener as the first program. */
function startSandbox(binds: readonly string[], channel = 3): ChildProcess {
  const file = join(folder, 'listener');
  writeFileSync(file, listenerElf({ machine: MACHINE, channel, becomes: '/bin/sh' }));
  const program = openSync(file, 'r');
  const merged = ['bin', 'lib', 'lib64'].flatMap((name) => [
    '--symlink',
    `usr/${name}`,
    `/${name}`,
  ]);
  const options = [
    ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/usr', '/usr'],
    [...merged, '--proc', '/proc', '--dev', '/dev', '--ro-bind', process.execPath, '/node'],
    ['--ro-bind', PROBE, '/probe.ts', ...binds],
    ['--perms', '0555', '--ro-bind-data', '4', '/listener', '--', '/listener'],
  ].flat();
  const child = spawn(BWRAP, options, {
    env: {},
    stdio: ['pipe', 'pipe', 'inherit', 'ipc', program],
  });
  closeSync(program);
  return child;
}

async function outputOf(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}

describe('a sandbox with an empty network', () => {
  it('reaches listed hosts through the listener it handed over, and nothing else', async () => {
    const upstream = await testAuthority();
    await using plain = await startOrigin();
    await using secure = await startTlsOrigin(upstream);
    const ca = join(folder, 'ca.pem');
    const records: ConnectionRecord[] = [];
    const entries = [
      `web.test:${plain.port}`,
      `GET api.test:${secure.port}/v1/**`,
      `127.0.0.1:${plain.port},${secure.port}`,
    ];
    writeFileSync(ca, '');
    const child = startSandbox(['--ro-bind', ca, '/ca.pem']);
    const server = await receiveListener(child, AbortSignal.timeout(60_000));
    await using served = serveEgress(
      server,
      {
        id: 'box',
        rules: parseHostRules(entries),
        mayConnect: async () => true,
        onRecord: (record) => records.push(record),
      },
      {
        clock: systemClock(),
        log: failingLog,
        lookup: () => Promise.resolve(['127.0.0.1']),
        trusted: [upstream.certificatePem],
      },
    );
    writeFileSync(ca, (await served.authorityPem()) ?? '');
    const urls = [
      `http://web.test:${plain.port}/a`,
      `https://api.test:${secure.port}/v1/b`,
      `http://evil.test:${plain.port}/`,
    ];
    const proxy = 'http://127.0.0.1:3128';
    child.stdin?.end(
      `NODE_EXTRA_CA_CERTS=/ca.pem NODE_USE_ENV_PROXY=1 HTTP_PROXY=${proxy} HTTPS_PROXY=${proxy} exec /node /probe.ts ${urls.join(' ')}\n`,
    );
    expect(JSON.parse(await outputOf(child))).toEqual({
      plain: '200 seen GET /a',
      secure: '200 seen GET /v1/b',
      denied: '403 palyra: the host is not listed (host-not-listed)',
      loopback: 'ECONNREFUSED',
      lan: 'ENETUNREACH',
      ipv6: 'ENETUNREACH',
      port: 'EADDRINUSE',
      shared: 'EADDRINUSE',
    });
    await served.close();
    expect(records.map(({ host, decision, reason }) => [host, decision, reason])).toEqual([
      ['web.test', 'allowed', ''],
      ['api.test', 'allowed', ''],
      ['evil.test', 'refused', 'host-not-listed'],
    ]);
  });

  it('is left with neither the channel nor the socket', async () => {
    const child = startSandbox([]);
    const server = await receiveListener(child, AbortSignal.timeout(60_000));
    child.stdin?.end('test -e /proc/$$/fd/3 || test -e /proc/$$/fd/4 || echo clean\n');
    expect(await outputOf(child)).toBe('clean\n');
    server.close();
  });

  it('does not start a shell when its channel is not there', async () => {
    const child = startSandbox([], 9);
    // It may be gone before it is told anything.
    child.stdin?.on('error', () => {}).end('echo alive\n');
    const waiting = receiveListener(child, AbortSignal.timeout(60_000));
    const [code] = await Promise.all([
      once(child, 'exit').then(([exitCode]) => exitCode),
      expect(waiting).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' }),
    ]);
    expect(code).toBe(71);
  });
});
