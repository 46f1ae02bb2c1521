import { Code, ConnectError } from '@connectrpc/connect';
import { ERRORS, PalyraError, isErrorCode } from '@palyra/kernel';
import { ErrorCode, ErrorDetailSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { toConnectError } from './errors.ts';

describe('a fault on its way to the caller', () => {
  it('carries its code, message and way out', () => {
    const error = toConnectError(
      new PalyraError('SESSION_BUSY', 'the session is busy', { help: 'wait' }),
    );
    expect(error.code).toBe(Code.FailedPrecondition);
    expect(error.rawMessage).toBe('the session is busy');
    expect(error.findDetails(ErrorDetailSchema)).toMatchObject([
      { code: ErrorCode.SESSION_BUSY, message: 'the session is busy', help: 'wait' },
    ]);
  });

  it('never takes its cause along', () => {
    const error = toConnectError(new Error('open /home/ada/.ssh/id_ed25519: denied'));
    const [detail] = error.findDetails(ErrorDetailSchema);
    expect(detail?.code).toBe(ErrorCode.UNEXPECTED);
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify([error.message, detail])).not.toContain('ada');
  });

  it('has a status of its own for every code of the catalogue', () => {
    for (const code of Object.keys(ERRORS).filter(isErrorCode)) {
      const error = toConnectError(new PalyraError(code, 'some fault'));
      expect(Code[error.code], code).toBeDefined();
      expect(error.findDetails(ErrorDetailSchema)).toMatchObject([{ code: ErrorCode[code] }]);
    }
  });

  it('passes through as it is when the protocol itself raised it', () => {
    const error = new ConnectError('malformed frame', Code.InvalidArgument);
    expect(toConnectError(error)).toBe(error);
  });
});
