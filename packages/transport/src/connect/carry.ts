import { Code, ConnectError, type ContextValues } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { NodeRequest, NodeResponse } from './patience.ts';
import { sendAnswer } from './send-answer.ts';

/** A request on its way through a handler, and how it is told that its caller went away. */
export interface Carried {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly values: ContextValues;
  readonly signal: AbortSignal;
  /** Of the whole request; absent where the bound of a message is enough. */
  readonly limitBytes?: number | undefined;
}

/** Contract: rejects when the answer could not be written. */
export async function carry(handler: UniversalHandler, carried: Carried): Promise<void> {
  await sendAnswer(await handler(universalRequest(carried)), carried);
}

/**
 * What connect-node makes of a request as well, in about half the time: without a URL that is taken
 * apart and put together again, generators around generators, and an error for every call that ends
 * as it should.
 */
function universalRequest({
  request,
  values,
  signal,
  limitBytes,
}: Carried): UniversalServerRequest {
  return {
    httpVersion: request.httpVersion,
    method: request.method ?? '',
    // Only the query of a call that is made with GET is read from it.
    url: `https://gateway.palyra.internal${request.url ?? ''}`,
    header: headersOf(request),
    body: namedBreaks(request, limitBytes ?? Infinity),
    signal,
    contextValues: values,
  };
}

/** What speaks about the call itself. The proof of a caller is none of it, and no service sees one. */
const ABOUT_THE_CALL = /^(?:accept|connect|content|grpc)-/;

function headersOf({ headers: given }: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && ABOUT_THE_CALL.test(name)) headers.append(name, value);
  }
  return headers;
}

/** A request that breaks off is the caller's doing, not a fault of ours that the log should show. */
function namedBreaks(
  request: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = request[Symbol.asyncIterator]();
      let length = 0;
      const counted = (step: IteratorResult<Uint8Array>) => {
        if (step.done !== true) length += step.value.length;
        if (length > limitBytes) throw tooLong(limitBytes);
        return step;
      };
      return {
        next: () => chunks.next().catch(brokeOff).then(counted),
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

function tooLong(limitBytes: number): ConnectError {
  const message = `the request is longer than ${limitBytes} bytes`;
  return new ConnectError(message, Code.ResourceExhausted);
}

function brokeOff(cause: unknown): never {
  throw new ConnectError('the request broke off', Code.Aborted, undefined, undefined, cause);
}
