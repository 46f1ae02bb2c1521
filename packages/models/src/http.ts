import {
  Agent as PlainAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { Clock } from '@palyra/kernel';
import { REDACTED, loopShare } from '@palyra/kernel';
import { isSafeEnough } from './base-url.ts';
import { type Deadlines, DeadlineWatch } from './deadlines.ts';
import { failureOfAnswer } from './errors.ts';
import { ModelFailure } from './failure.ts';
import { lookUpLoopback } from './loopback-lookup.ts';

/** What is sent, and what has to come back. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly accept: 'text/event-stream' | 'application/json';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty where nothing is posted. */
  readonly body: string;
  /** Held by the headers; taken out of whatever the other side says. Empty: there is none. */
  readonly key: string;
}

export interface HttpParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly connections: Connections;
  /** Whether the operator lets requests go to other machines without encryption. */
  readonly plainText: 'loopback' | 'anywhere';
}

export const HTTP_LIMITS = {
  requestBytes: 20 * 1024 * 1024,
  answerBytes: 64 * 1024 * 1024,
  errorBytes: 64 * 1024,
  headerBytes: 32 * 1024,
  connections: 512,
  idleConnections: 128,
  idleConnectionMs: 30_000,
} as const;

/** Connections that are used again. Nothing waits for them: those that are idle keep no process up. */
export interface Connections extends Disposable {
  readonly plain: PlainAgent;
  readonly tls: TlsAgent;
}

export function openConnections(): Connections {
  const options = {
    keepAlive: true,
    maxSockets: HTTP_LIMITS.connections,
    maxFreeSockets: HTTP_LIMITS.idleConnections,
    timeout: HTTP_LIMITS.idleConnectionMs,
  };
  const plain = new PlainAgent(options);
  const tls = new TlsAgent({ ...options, minVersion: 'TLSv1.2' });
  return {
    plain,
    tls,
    [Symbol.dispose]: () => {
      plain.destroy();
      tls.destroy();
    },
  };
}

/**
 * Sends and gives the bytes of what comes back, if that is of the kind that was asked for.
 * Contract: throws the signal's reason as soon as it is aborted and a ModelFailure for everything
 * else; by the time it ends, in whatever way, the connection is closed or free for the next.
 * Redirects are not followed: a key goes where it was meant to go, or nowhere.
 */
export async function* exchange(
  sending: Sending,
  parts: HttpParts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  checkSending(sending, parts);
  using watch = new DeadlineWatch(parts.deadlines);
  const either = AbortSignal.any([signal, watch.signal]);
  let request: ClientRequest | undefined;
  try {
    await loopShare.turn();
    request = start(sending, parts, either);
    const response = await answerTo(request, sending.body, watch);
    const chunks = boundedChunks(response, watch, HTTP_LIMITS.answerBytes);
    if (!isWanted(response, sending)) throw await failureOf(response, chunks, { sending, parts });
    yield* chunks;
  } catch (error) {
    throw either.aborted ? abortReason(signal, watch.signal) : asFailure(error);
  } finally {
    // Of an answer that was read to its end the connection is free already, and nothing happens.
    request?.destroy();
  }
}

function checkSending({ url, body }: Sending, { plainText }: HttpParts): void {
  if (!isSafeEnough(url, plainText)) {
    throw new ModelFailure('unreachable', 'the provider may not be spoken to without encryption', {
      help: 'use `https` in `models.base_url`, or set `models.plain_text` to `anywhere`',
    });
  }
  if (Buffer.byteLength(body) > HTTP_LIMITS.requestBytes) {
    throw new ModelFailure(
      'context-too-long',
      `the request is larger than ${HTTP_LIMITS.requestBytes} bytes`,
    );
  }
}

function start(sending: Sending, parts: HttpParts, signal: AbortSignal): ClientRequest {
  const { method, accept, url, headers, body } = sending;
  const content = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const options = {
    method,
    headers: {
      ...headers,
      accept,
      'accept-encoding': 'identity',
      ...(method === 'POST' ? content : {}),
      'user-agent': 'palyra',
    },
    maxHeaderSize: HTTP_LIMITS.headerBytes,
    signal,
  };
  if (url.protocol === 'https:')
    return requestTls(url, { ...options, agent: parts.connections.tls });
  const lookup = parts.plainText === 'loopback' ? { lookup: lookUpLoopback } : {};
  return requestPlain(url, { ...options, ...lookup, agent: parts.connections.plain });
}

async function answerTo(
  request: ClientRequest,
  body: string,
  watch: DeadlineWatch,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  watch.connecting();
  request.on('socket', (socket) => {
    const isReady = !socket.connecting && request.reusedSocket;
    if (isReady) watch.waiting();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => watch.waiting());
  });
  request.once('response', resolve);
  // Stays: an error after the answer has begun comes here too, and the answer tells of it as well.
  request.on('error', reject);
  request.end(body);
  return await promise;
}

async function* boundedChunks(
  response: IncomingMessage,
  watch: DeadlineWatch,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  const chunks: AsyncIterator<unknown, unknown, undefined> = response[Symbol.asyncIterator]();
  for (;;) {
    const next = await watch.reading(chunks.next(), hasLine);
    await loopShare.turn();
    if (next.done === true) return;
    if (!(next.value instanceof Uint8Array)) continue;
    length += next.value.length;
    if (length > limitBytes) {
      throw new ModelFailure('broken-stream', `the answer is larger than ${limitBytes} bytes`);
    }
    yield next.value;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function hasLine({ value }: IteratorResult<unknown, unknown>): boolean {
  return (
    value instanceof Uint8Array && (value.includes(LINE_FEED) || value.includes(CARRIAGE_RETURN))
  );
}

function isWanted({ statusCode, headers }: IncomingMessage, { accept }: Sending): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return statusCode === 200 && encoding === 'identity' && type === accept;
}

async function failureOf(
  response: IncomingMessage,
  chunks: AsyncIterable<Uint8Array>,
  { sending, parts }: { readonly sending: Sending; readonly parts: HttpParts },
): Promise<ModelFailure> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    return new ModelFailure('not-an-api', `the provider sends us elsewhere (status ${status})`);
  }
  const text = await beginningOf(chunks);
  const body = sending.key === '' ? text : text.replaceAll(sending.key, REDACTED);
  return failureOfAnswer({ status, headers: response.headers, body, now: parts.clock.now() });
}

async function beginningOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > HTTP_LIMITS.errorBytes) break;
  }
  return text;
}

function abortReason(signal: AbortSignal, deadline: AbortSignal): unknown {
  return signal.aborted ? signal.reason : deadline.reason;
}

/** What the platform says of a connection: names, addresses and codes, nothing that was sent. */
function asFailure(error: unknown): unknown {
  if (error instanceof ModelFailure || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return code === 'ECONNRESET' || code.startsWith('HPE_') || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? new ModelFailure('broken-stream', `the connection to the provider broke (\`${code}\`)`, {
        cause: error,
      })
    : new ModelFailure('unreachable', `the provider cannot be reached (\`${code}\`)`, {
        cause: error,
      });
}
