import { ConnectError, type Transport } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';

describe('a daemon that does not answer', () => {
  it('has ten seconds for a single call unless the call says otherwise, and streams have no end', async () => {
    const deadlines: (number | undefined)[] = [];
    const transport: Transport = {
      unary(_method, _signal, timeoutMs) {
        deadlines.push(timeoutMs);
        return Promise.reject(new ConnectError('enough'));
      },
      stream(_method, _signal, timeoutMs) {
        deadlines.push(timeoutMs);
        return Promise.reject(new ConnectError('enough'));
      },
    };
    const client = createClient(transport);
    await expect(client.health.getHealth({})).rejects.toThrow();
    await expect(client.health.getHealth({}, { timeoutMs: 3000 })).rejects.toThrow();
    await expect(Array.fromAsync(client.journal.tailJournal({}))).rejects.toThrow();
    expect(deadlines).toEqual([10_000, 3000, undefined]);
  });
});
