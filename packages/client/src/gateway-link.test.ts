import type { Transport } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { OpenGateway } from './connect-to.ts';
import { linkGateway } from './gateway-link.ts';
import { PalyraError } from '@palyra/kernel';

const refusing: Transport = {
  unary: () => Promise.reject(new PalyraError('NOT_FOUND', 'reached')),
  stream: () => Promise.reject(new PalyraError('NOT_FOUND', 'reached')),
};

function opened(): OpenGateway {
  return {
    identity: {
      gateway: 'office',
      address: '127.0.0.1:1',
      deviceId: '',
      deviceName: '',
      key: '',
      certificate: '',
      authorities: [],
      authorityId: '',
      notBefore: '',
      notAfter: '',
    },
    client: createClient(refusing),
    transport: refusing,
    renewal: undefined,
    [Symbol.asyncDispose]: async () => {},
  };
}

describe('a link to a gateway', () => {
  it('opens it with the first call, once for all', async () => {
    let opens = 0;
    await using link = linkGateway(async () => {
      opens += 1;
      return opened();
    });
    expect(opens).toBe(0);
    const calls = [link.client.health.getHealth({}), link.client.runs.listRuns({})];
    for (const call of calls) await expect(call).rejects.toMatchObject({ message: 'reached' });
    expect(opens).toBe(1);
  });

  it('lets every call fail with the reason why it could not be opened', async () => {
    const reason = new PalyraError('NOT_PAIRED', 'not paired');
    await using link = linkGateway(() => Promise.reject(reason));
    await expect(link.client.health.getHealth({})).rejects.toBe(reason);
    const entries = Array.fromAsync(link.client.journal.tailJournal({}));
    await expect(entries).rejects.toBe(reason);
  });

  it('does not wait longer for the opening than the call may take', async () => {
    await using link = linkGateway(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new PalyraError('CANCELLED', 'left')));
        }),
    );
    await expect(link.client.health.getHealth({}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: 'the daemon does not answer',
    });
  });

  it('opens nothing when it is disposed of unused', async () => {
    let opens = 0;
    const link = linkGateway(async () => {
      opens += 1;
      return opened();
    });
    await link[Symbol.asyncDispose]();
    expect(opens).toBe(0);
  });
});
