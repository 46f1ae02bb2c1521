import { createClient, createRouterTransport } from '@connectrpc/connect';
import { HealthService, JournalService } from '@palyra/protocol';
import { quietLog, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { createReadiness } from '../readiness.ts';
import { guard } from './guard.ts';

function failingServices() {
  const log = quietLog();
  const fail = (): never => {
    throw new Error('open /home/ada/diary: no such file');
  };
  const transport = createRouterTransport(
    (router) => {
      router.service(HealthService, { getHealth: fail });
      router.service(JournalService, { tailJournal: fail });
    },
    { router: { interceptors: [guard(ready(), log)] } },
  );
  return { log, transport };
}

function ready() {
  const readiness = createReadiness();
  readiness.markReady();
  return readiness;
}

describe('a fault that nobody has named', () => {
  it(
    'is told to the log with its cause and to the caller without',
    verifies('daemon:errors-leak-nothing'),
    async () => {
      const { log, transport } = failingServices();
      const call = createClient(HealthService, transport).getHealth({});
      await expect(call).rejects.toThrow(/^\[internal\] unexpected failure$/);
      expect(log.lines).toMatchObject([{ level: 'error', message: 'call failed' }]);
      expect(JSON.stringify(log.lines)).toContain('/home/ada/diary');
    },
  );

  it('is named in the middle of a stream too', async () => {
    const { log, transport } = failingServices();
    const stream = createClient(JournalService, transport).tailJournal({});
    await expect(Array.fromAsync(stream)).rejects.toThrow(/^\[internal\] unexpected failure$/);
    expect(log.lines).toHaveLength(1);
  });
});
