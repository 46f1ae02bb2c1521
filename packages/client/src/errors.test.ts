import { Code, ConnectError } from '@connectrpc/connect';
import { PalyraError } from '@palyra/kernel';
import { ErrorCode, ErrorDetailSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { toPalyraError } from './errors.ts';

describe('a failed call', () => {
  it('fails with what the daemon said', () => {
    const error = new ConnectError('busy', Code.FailedPrecondition, undefined, [
      {
        desc: ErrorDetailSchema,
        value: { code: ErrorCode.SESSION_BUSY, message: 'the session is busy', help: 'wait' },
      },
    ]);
    expect(toPalyraError(error)).toMatchObject({
      code: 'SESSION_BUSY',
      message: 'the session is busy',
      help: 'wait',
    });
  });

  it('falls back to the status when a newer daemon uses an unknown code', () => {
    const error = new ConnectError('gone', Code.NotFound, undefined, [
      { desc: ErrorDetailSchema, value: { code: ErrorCode.UNSPECIFIED, message: 'gone' } },
    ]);
    expect(toPalyraError(error).code).toBe('NOT_FOUND');
  });

  it('means that nobody was known when all there is of the answer is its status', () => {
    expect(toPalyraError(new ConnectError('HTTP 401', Code.Unauthenticated)).code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('means an unreachable daemon when nobody listens', () => {
    for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND']) {
      const cause = Object.assign(new Error(`connect ${code} /secret/path`), { code });
      const failed = new ConnectError('failed', Code.Internal, undefined, undefined, cause);
      const error = toPalyraError(failed);
      expect(error.code).toBe('DAEMON_UNREACHABLE');
      expect(error.message).not.toContain('secret');
    }
  });

  it('means an unreachable daemon when the connection breaks off', () => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const error = toPalyraError(
      new ConnectError('reset', Code.Aborted, undefined, undefined, cause),
    );
    expect(error).toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: 'the connection to the daemon broke off',
    });
  });

  it('is cancelled when the caller took it back', () => {
    const error = toPalyraError(new ConnectError('stop', Code.Canceled), AbortSignal.abort());
    expect(error.code).toBe('CANCELLED');
  });

  it('means an unreachable daemon when it was cancelled and the caller did not do it', () => {
    const { signal } = new AbortController();
    const error = toPalyraError(new ConnectError('stop', Code.Canceled), signal);
    expect(error.code).toBe('DAEMON_UNREACHABLE');
  });

  it('keeps a fault that has a name already', () => {
    const error = new PalyraError('NOT_FOUND', 'there is no such run');
    expect(toPalyraError(error)).toBe(error);
  });
});
