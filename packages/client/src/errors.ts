import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorCode, PalyraError, isErrorCode } from '@palyra/kernel';
import { type ErrorDetail, ErrorDetailSchema, ErrorCode as WireErrorCode } from '@palyra/protocol';

/** What the daemon said, if it was the daemon who said it; otherwise what became of the call. */
export function toPalyraError(reason: unknown, signal?: AbortSignal): PalyraError {
  if (reason instanceof PalyraError) return reason;
  const error = ConnectError.from(reason);
  const [detail] = error.findDetails(ErrorDetailSchema);
  const named = detail === undefined ? undefined : fromDetail(detail, error);
  return (
    named ??
    fromConnection(error) ??
    fromStatus(error, signal?.aborted === true ? 'taken-back' : 'wanted')
  );
}

/** What the daemon says went wrong with one of several things, in an answer that is fine otherwise. */
export function errorOf(detail: ErrorDetail): PalyraError {
  return fromDetail(detail) ?? new PalyraError('UNEXPECTED', detail.message);
}

function fromDetail(detail: ErrorDetail, cause?: ConnectError): PalyraError | undefined {
  const entry = Object.entries(WireErrorCode).find(([, number]) => number === detail.code);
  const code = entry?.[0] ?? '';
  // A newer daemon may know codes that this client does not; its status still says enough.
  if (!isErrorCode(code)) return undefined;
  return new PalyraError(code, detail.message, {
    cause,
    ...(detail.help === '' ? {} : { help: detail.help }),
  });
}

/** Nobody listens there. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']);
/** There was a daemon, and then there was none. */
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Of Chromium, Firefox and Safari. */
const FETCH_FAILED = /^(?:failed to fetch|networkerror\b|load failed|network error)/i;

function fromConnection(error: ConnectError): PalyraError | undefined {
  for (let cause: unknown = error, depth = 0; depth < 8; depth += 1) {
    if (!(cause instanceof Error)) return undefined;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (UNREACHABLE.has(code)) return unreachable('no gateway answers', error);
    if (BROKEN_OFF.has(code)) return unreachable(BROKE_OFF, error);
    // All that a browser says.
    if (cause instanceof TypeError && FETCH_FAILED.test(cause.message)) {
      return unreachable('no gateway answers', error);
    }
    cause = cause.cause;
  }
  return undefined;
}

const BROKE_OFF = 'the connection to the daemon broke off';

function unreachable(message: string, cause: ConnectError): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', message, { cause });
}

function silent(cause: ConnectError): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', 'the daemon does not answer', {
    cause,
    help: 'it is stopped or overloaded: look at its log, or end its process and start it again',
  });
}

const BREAKS: ReadonlySet<Code> = new Set([Code.Aborted, Code.Canceled, Code.Unavailable]);

const BY_STATUS: Readonly<Partial<Record<Code, ErrorCode>>> = {
  [Code.Aborted]: 'CANCELLED',
  [Code.Canceled]: 'CANCELLED',
  [Code.InvalidArgument]: 'INVALID_INPUT',
  [Code.NotFound]: 'NOT_FOUND',
  [Code.Unauthenticated]: 'UNAUTHENTICATED',
  [Code.Unimplemented]: 'NOT_BUILT',
};

/** Errors of the protocol itself: our code never saw the call, so there is no detail. */
function fromStatus(error: ConnectError, call: 'wanted' | 'taken-back'): PalyraError {
  // Node cancels every stream of a connection that ends, so `canceled` alone does not mean that
  // the caller did it.
  if (call === 'wanted' && BREAKS.has(error.code)) return unreachable(BROKE_OFF, error);
  if (error.code === Code.DeadlineExceeded) return silent(error);
  if (error.code === Code.ResourceExhausted) {
    return new PalyraError('INVALID_INPUT', 'the message is larger than allowed', {
      cause: error,
      help: 'send less at once, or raise `transport.max_message_bytes`',
    });
  }
  const code = BY_STATUS[error.code];
  if (code === undefined) return PalyraError.from(error);
  return new PalyraError(code, error.rawMessage, { cause: error });
}
