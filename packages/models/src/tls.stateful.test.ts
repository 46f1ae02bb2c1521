import { type Server, createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testAuthority } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const ONE = { attempts: 1 } as const;

describe('a provider behind TLS', () => {
  const servers: Server[] = [];
  let asked = 0;
  let authorityPem = '';
  let rightUrl = '';
  let otherUrl = '';

  beforeAll(async () => {
    const authority = await testAuthority(new Date());
    ({ authorityPem } = await authority.serverCredential());
    const serve = async (name: string) => {
      const names = [{ type: 'dns', value: name }] as const;
      const certificate = await authority.issue({ usage: 'server', names });
      const server = createServer(certificate, (request, response) => {
        asked += 1;
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(WIRES['anthropic']?.speak({ text: ['over tls'] }));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      return `https://localhost:${typeof address === 'object' ? address?.port : 0}`;
    };
    rightUrl = await serve('localhost');
    otherUrl = await serve('other.example');
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const ask = async (url: string) => {
    const wire = WIRES['anthropic'];
    if (wire === undefined) throw new Error('there is no wire');
    using test = await testModel({ wire, url, settings: ONE });
    return await hear(test.model);
  };

  it('whose authority nobody knows is not spoken to', async () => {
    const { error } = await ask(rightUrl);
    expect(error).toMatchObject({ code: 'MODEL_FAILED', reason: 'unreachable' });
    expect(asked).toBe(0);
  });

  it('with the name of somebody else is not spoken to', async () => {
    setDefaultCACertificates([...getCACertificates(), authorityPem]);
    const { error } = await ask(otherUrl);
    expect(error).toMatchObject({ reason: 'unreachable' });
    expect(error).toHaveProperty('message', expect.stringContaining('ERR_TLS_CERT_ALTNAME'));
    expect(asked).toBe(0);
  });

  it('that proves itself is spoken to', async () => {
    setDefaultCACertificates([...getCACertificates(), authorityPem]);
    expect((await ask(rightUrl)).events).toEqual([{ kind: 'text', text: 'over tls' }]);
  });

  it('that never answers the greeting is given up', async () => {
    const { createServer: createSilent } = await import('node:net');
    const silent = createSilent((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const wire = WIRES['anthropic'];
    if (wire === undefined) throw new Error('there is no wire');
    const settings = { ...ONE, connect_timeout_ms: 100 };
    using test = await testModel({ wire, url: `https://127.0.0.1:${port}`, settings });
    expect((await hear(test.model)).error).toMatchObject({
      reason: 'timed-out',
      message: 'the provider could not be connected to within 100 ms',
    });
    await new Promise((resolve) => silent.close(resolve));
  });
});
