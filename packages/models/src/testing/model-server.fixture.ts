import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { type Json, isJsonObject } from '@palyra/kernel';

/** A request as it came over the wire. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
  /** Resolves when the connection it came on is closed. */
  readonly closed: Promise<void>;
}

export type Answer = (response: ServerResponse, socket: Socket) => void;

/** A real server on a real socket; each request takes the next answer, the last one repeats. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  readonly connections: number;
  /** Resolves with the next request that has come in whole. */
  next(): Promise<Received>;
}

export async function modelServer(...answers: readonly Answer[]): Promise<ModelServer> {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const socket = request.socket;
      // One for each request that came on it.
      socket.setMaxListeners(0);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const one = { path: request.url ?? '', headers: request.headers, body, closed };
      const answer = answers[Math.min(received.length, answers.length - 1)];
      received.push(one);
      waiting.shift()?.(one);
      answer?.(response, socket);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    get connections() {
      return connections;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  request.setEncoding('utf8');
  const pieces: string[] = [];
  for await (const piece of request) pieces.push(String(piece));
  const text = pieces.join('');
  const parsed: unknown = text === '' ? null : JSON.parse(text);
  return isJsonObject(parsed) ? parsed : null;
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

export function streams(text: string): Answer {
  return (response) => {
    response.writeHead(200, STREAM);
    response.end(text);
  };
}

/** Each byte in a write of its own. */
export function dribbles(text: string): Answer {
  return (response) => {
    response.writeHead(200, STREAM);
    for (const byte of Buffer.from(text)) response.write(Uint8Array.of(byte));
    response.end();
  };
}

/** Says this much, and then nothing more, with the connection open. */
export function stalls(text: string): Answer {
  return (response) => {
    response.writeHead(200, STREAM);
    response.flushHeaders();
    response.write(text);
  };
}

/** Says this much and resets the connection. */
export function resets(text: string): Answer {
  return (response, socket) => {
    response.writeHead(200, STREAM);
    response.write(text, () => socket.resetAndDestroy());
  };
}

/** Says this much and closes in the middle of the body. */
export function truncates(text: string): Answer {
  return (response, socket) => {
    response.writeHead(200, STREAM);
    response.write(text, () => socket.end());
  };
}

/** A byte now and then, never a whole line. */
export function tortures(): Answer {
  return (response, socket) => {
    response.writeHead(200, STREAM);
    const timer = setInterval(() => response.write('x'), 5);
    socket.once('close', () => clearInterval(timer));
  };
}

export interface Refusal {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refuses({ status, body, headers = {} }: Refusal): Answer {
  return (response) => {
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...headers,
    });
    response.end(isText ? body : JSON.stringify(body));
  };
}
