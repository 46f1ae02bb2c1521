import type { ContextValues } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { NodeRequest, NodeResponse } from './patience.ts';
import { bodyOf } from './request-body.ts';
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
    body: bodyOf(request, limitBytes ?? Infinity),
    signal,
    contextValues: values,
  };
}

/** What speaks about the call itself. The proof of a caller is none of it, and no service sees one. */
const ABOUT_THE_CALL = /^(?:connect|content|grpc)-/;

function headersOf({ headers: given }: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && ABOUT_THE_CALL.test(name)) headers.append(name, value);
  }
  return headers;
}
