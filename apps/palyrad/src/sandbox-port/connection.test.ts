import { describe, expect, it } from 'vitest';
import { connectionOf } from './connection.ts';

describe('a record of the proxy', () => {
  it('is kept with everything that it says', () => {
    const record = {
      door: 'connect',
      host: 'api.example',
      port: 443,
      address: '203.0.113.7',
      bytesUp: 12,
      bytesDown: 34,
      decision: 'allowed',
      rule: 'api.example:443',
      reason: '',
      request: 'GET /v1/items',
      secrets: ['token'],
      startedAt: '2026-01-02T03:04:05.000Z',
      durationMs: 56,
    };
    expect(connectionOf('call-1', record)).toMatchObject({
      ...record,
      callId: 'call-1',
      bytesUp: 12n,
      bytesDown: 34n,
    });
  });

  it('that says less, or something else than it should, is kept without that', () => {
    const odd = { host: 7, port: -1, bytesUp: 0.5, bytesDown: '9', secrets: ['a', 1, null] };
    expect(connectionOf('call-1', odd)).toMatchObject({
      callId: 'call-1',
      host: '',
      port: 0,
      bytesUp: 0n,
      bytesDown: 0n,
      secrets: ['a'],
      decision: '',
      durationMs: 0,
    });
  });
});
