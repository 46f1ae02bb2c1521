import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobs } from '@palyra/blobs';
import { type JsonObject, systemClock } from '@palyra/kernel';
import { type EgressConnection, Executor, ToolOutcome } from '@palyra/protocol';
import { quietLog, testAuthority, verifies } from '@palyra/testkit';
import type { Connecting } from '@palyra/gateway';
import { createCatalogue, httpSection } from '@palyra/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpTool } from './http-tool.ts';

let home = '';
const servers: Server[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-http-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(home, { recursive: true, force: true });
});

const never = new AbortController().signal;
const hello: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end('hello');
};

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Surroundings {
  /** What every name leads to. */
  readonly leadsTo?: readonly string[];
  readonly listed?: readonly string[];
  readonly trusted?: readonly string[];
  /** What the rules say; yes without. */
  readonly mayConnect?: boolean;
}

async function fetching(
  args: JsonObject,
  { leadsTo, listed = [], trusted = [], mayConnect = true }: Surroundings,
) {
  const asked: Connecting[] = [];
  const blobs = openBlobs({ folder: join(home, 'blobs'), maxBytes: 1_000_000 });
  const connections: EgressConnection[] = [];
  const tool = createHttpTool({
    settings: httpSection.parse({ private_addresses: listed }),
    blobs,
    clock: systemClock(),
    log: quietLog(),
    lookup: async () => leadsTo ?? ['127.0.0.1'],
    trusted,
  });
  const understood = createCatalogue().find('http.fetch')?.understand(args, home);
  if (understood?.kind !== 'understood') throw new TypeError('the arguments are not understood');
  const request = {
    callId: 'call',
    tool: 'http.fetch',
    arguments: understood.arguments,
    principal: 'user:ada',
    sessionId: 'session',
    policySetHash: 'set',
    workspace: '/workspace',
    mayConnect: async (to: Connecting) => {
      asked.push(to);
      return mayConnect;
    },
    onConnection: (connection: EgressConnection) => void connections.push(connection),
    onOutput: () => {},
    onFileChange: async () => {},
  };
  const execution = await tool.execute(request, never);
  const said = Buffer.from(execution.output).toString();
  return { execution, said, connections, blobs, asked };
}

describe('a call to fetch something', () => {
  it('reaches the host that it names, says that the gateway did it, and tells the connection', async () => {
    const port = await listen(createServer(hello));
    const url = `http://site.example:${port}/a?b=secret`;
    const listed = [`127.0.0.1:${port}`];
    const { execution, said, connections } = await fetching({ url }, { listed });
    expect(execution).toMatchObject({
      outcome: ToolOutcome.SUCCEEDED,
      executor: Executor.GATEWAY,
      enforcement: expect.stringContaining('a checked one dialled, without TLS'),
    });
    expect(said).toContain('\n\nhello');
    expect(connections).toMatchObject([
      {
        callId: 'call',
        door: 'fetch',
        host: 'site.example',
        port,
        address: '127.0.0.1',
        decision: 'allowed',
        request: 'GET /a',
      },
    ]);
    expect(JSON.stringify(connections, (_, each: unknown) => String(each))).not.toContain('secret');
  });

  it.each([
    ['a name that leads to this machine', 'http://site.example:PORT/', ['127.0.0.1']],
    ['this machine itself', 'http://127.0.0.1:PORT/', ['127.0.0.1']],
    ['the metadata of a cloud', 'http://169.254.169.254/latest', ['169.254.169.254']],
    ['a name with one bad address of two', 'http://site.example:PORT/', ['93.184.216.34', '::1']],
  ])('does not reach %s, and that is on record', async (_, url, leadsTo) => {
    let reached = 0;
    const port = await listen(createServer(() => void (reached += 1)));
    const { execution, connections } = await fetching(
      { url: url.replace('PORT', String(port)) },
      { leadsTo },
    );
    expect(execution).toMatchObject({
      outcome: ToolOutcome.FAILED,
      enforcement: 'no program was started; no connection came about, and no request was sent',
    });
    expect(execution.error?.code).toBe('SANDBOX_EGRESS_DENIED');
    expect(connections).toMatchObject([{ decision: 'refused' }]);
    expect(reached).toBe(0);
  });

  it(
    'reaches nobody whom the rules refuse it, says so, and asks them about where the name leads',
    verifies('policy:each-connection'),
    async () => {
      let reached = 0;
      const port = await listen(createServer(() => void (reached += 1)));
      const url = `http://site.example:${port}/`;
      const listed = [`127.0.0.1:${port}`];
      const { execution, connections, asked } = await fetching(
        { url },
        { listed, mayConnect: false },
      );
      const leadsTo = [{ range: 'loopback', isListed: true }];
      expect(asked).toEqual([{ host: 'site.example', port, leadsTo }]);
      expect(execution.error).toMatchObject({
        code: 'SANDBOX_EGRESS_DENIED',
        message: expect.stringContaining('the rules do not let this call connect there'),
        help: expect.stringContaining('palyra policy explain'),
      });
      expect(connections).toMatchObject([{ decision: 'refused', reason: 'rules-refuse' }]);
      expect(reached).toBe(0);
    },
  );

  it('speaks TLS with a host that proves who it is, and with no other', async () => {
    const authority = await testAuthority(new Date());
    const { authorityPem } = await authority.serverCredential();
    const names = [{ type: 'dns', value: 'site.example' }] as const;
    const identity = await authority.issue({ usage: 'server', names });
    const port = await listen(createTlsServer(identity, hello));
    const surroundings = { listed: [`127.0.0.1:${port}`], trusted: [authorityPem] };
    const good = await fetching({ url: `https://site.example:${port}/` }, surroundings);
    expect(good.said).toContain('\n\nhello');
    expect(good.execution.enforcement).toContain('and TLS verified');
    for (const [url, trusted] of [
      [`https://other.example:${port}/`, [authorityPem]],
      [`https://site.example:${port}/`, []],
    ] as const) {
      const { execution } = await fetching({ url }, { ...surroundings, trusted });
      expect(execution.error?.message).toContain('did not prove who it is');
      expect(execution.enforcement).not.toContain('TLS verified');
    }
  });

  it('goes nowhere else than where the call was allowed to go', async () => {
    const port = await listen(
      createServer((request, response) => {
        if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
        else hello(request, response);
      }),
    );
    const url = `http://site.example:${port}/a`;
    const { connections } = await fetching({ url }, { listed: [`127.0.0.1:${port}`] });
    expect(connections).toMatchObject([{ request: 'GET /a' }]);
  });

  it('keeps what is no text by its hash', async () => {
    const bytes = Buffer.from([0, 1, 2]);
    const port = await listen(
      createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'image/png', connection: 'close' }).end(bytes);
      }),
    );
    const url = `http://site.example:${port}/a.png`;
    const { execution, blobs } = await fetching({ url }, { listed: [`127.0.0.1:${port}`] });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(execution.artifact).toEqual({ sha256, bytes: 3 });
    expect(await blobs.get(sha256, 0, 10)).toEqual(new Uint8Array(bytes));
  });

  it('cannot be set up with a listed address that is none', () => {
    expect(() => httpSection.parse({ private_addresses: ['site.example:80'] })).toThrow('');
    const settings = httpSection.parse({ private_addresses: ['127.0.0.999:80'] });
    const blobs = openBlobs({ folder: join(home, 'blobs'), maxBytes: 1 });
    const parts = { settings, blobs, clock: systemClock(), log: quietLog() };
    expect(() => createHttpTool(parts)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});
