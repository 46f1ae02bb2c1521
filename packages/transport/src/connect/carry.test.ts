import { once } from 'node:events';
import { createServer } from 'node:http';
import { type HandlerContext, createConnectRouter, createContextValues } from '@connectrpc/connect';
import { HealthService } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { carry } from './carry.ts';

const PATH = '/palyra.v1.HealthService/GetHealth';

/** One call over plain HTTP, and what its service saw of it. */
async function callWith(path: string, init: RequestInit) {
  const seen: HandlerContext[] = [];
  const router = createConnectRouter();
  router.service(HealthService, {
    getHealth(_request, context) {
      seen.push(context);
      return { version: 'here' };
    },
  });
  const handler = router.handlers.find(({ requestPath }) => requestPath === PATH);
  if (handler === undefined) throw new Error('there is no such call');
  const server = createServer((request, response) => {
    const { signal } = new AbortController();
    void carry(handler, { request, response, signal, values: createContextValues() });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const body = await response.text();
  server.closeAllConnections();
  server.close();
  return { status: response.status, body, seen };
}

describe('a request that is carried to its service', () => {
  it('brings along what is about the call, and nothing that proves its caller', async () => {
    const headers = {
      'content-type': 'application/json',
      'connect-timeout-ms': '60000',
      authorization: 'Bearer pal_secret',
      cookie: 'palyra_session_1=secret',
      'x-palyra-proof': 'v1.secret',
    };
    const { status, body, seen } = await callWith(PATH, { method: 'POST', headers, body: '{}' });
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 200, body: { version: 'here' } });
    const told = [...(seen[0]?.requestHeader ?? [])];
    expect(told).toContainEqual(['content-type', 'application/json']);
    expect(seen[0]?.timeoutMs()).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('is answered in the format that it speaks, and refused when that is none', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status, seen } = await callWith(PATH, { method: 'POST', headers, body: '{}' });
    expect({ status, seen }).toEqual({ status: 415, seen: [] });
  });
});
