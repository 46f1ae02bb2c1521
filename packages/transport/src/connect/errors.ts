import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { PalyraError, type WireStatus } from '@palyra/kernel';
import { ErrorCode, type ErrorDetail, ErrorDetailSchema } from '@palyra/protocol';

const CODES: Readonly<Record<WireStatus, Code>> = {
  aborted: Code.Aborted,
  already_exists: Code.AlreadyExists,
  canceled: Code.Canceled,
  data_loss: Code.DataLoss,
  failed_precondition: Code.FailedPrecondition,
  internal: Code.Internal,
  invalid_argument: Code.InvalidArgument,
  not_found: Code.NotFound,
  permission_denied: Code.PermissionDenied,
  resource_exhausted: Code.ResourceExhausted,
  unauthenticated: Code.Unauthenticated,
  unavailable: Code.Unavailable,
  unimplemented: Code.Unimplemented,
};

/**
 * What a caller sees of a fault: code, message and the way out. The cause stays here.
 * Contract: an error of the protocol itself (a malformed frame) passes through as it is.
 */
export function toConnectError(reason: unknown): ConnectError {
  if (reason instanceof ConnectError) return reason;
  const error = PalyraError.from(reason);
  return new ConnectError(error.message, CODES[error.wire], undefined, [
    { desc: ErrorDetailSchema, value: detailOf(error) },
  ]);
}

export function detailOf({ code, message, help }: PalyraError): ErrorDetail {
  return create(ErrorDetailSchema, { code: ErrorCode[code], message, help });
}
