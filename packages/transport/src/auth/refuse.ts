import type { OutgoingHttpHeaders } from 'node:http';
import type { ConnectError } from '@connectrpc/connect';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { toConnectError } from '../connect/errors.ts';
import type { NodeRequest, NodeResponse } from '../connect/patience.ts';

interface Refusal {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

const NOTHING = new Uint8Array();
const GRPC_TYPE = /^application\/grpc(?:-web)?(?:\+(?:proto|json))?(?=$|[;\s])/;
const STREAM_TYPE = /^application\/connect\+(?:proto|json)(?=$|[;\s])/;

/**
 * Refuses in the words that the caller speaks, before anything of the request is read.
 * INVARIANT: nothing here depends on the path, so that a stranger cannot find out which exist.
 */
export function refuse(request: NodeRequest, response: NodeResponse, reason: unknown): void {
  const { status, headers, body } = phrase(
    request.headers['content-type'] ?? '',
    toConnectError(reason),
  );
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}

function phrase(type: string, error: ConnectError): Refusal {
  const grpc = GRPC_TYPE.exec(type)?.[0];
  if (grpc !== undefined) {
    const fields = new Headers({ 'content-type': grpc });
    setTrailerStatus(fields, error);
    return { status: 200, headers: Object.fromEntries(fields), body: NOTHING };
  }
  const stream = STREAM_TYPE.exec(type)?.[0];
  if (stream !== undefined) {
    const end = JSON.stringify(endStreamToJson(new Headers(), error, undefined));
    const body = encodeEnvelope(endStreamFlag, new TextEncoder().encode(end));
    return { status: 200, headers: { 'content-type': stream }, body };
  }
  return {
    status: codeToHttpStatus(error.code),
    headers: { 'content-type': 'application/json' },
    body: errorToJsonBytes(error, undefined),
  };
}
