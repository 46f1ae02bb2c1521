import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Duplex, Readable, Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { Header } from '../canonical/headers.ts';
import type { Method } from '../canonical/method.ts';

export interface Question {
  readonly url: string;
  readonly method: Method;
  readonly headers: readonly Header[];
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** One text for each name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** There was more than may be taken. */
  readonly isCut: boolean;
  /** Compressed in a way that nobody here knows. */
  readonly isSealed: boolean;
}

/** Of the head of an answer. */
const MAX_HEAD_BYTES = 32_768;

/** One request and its answer over a connection that is there. Contract: rejects with whatever went wrong. */
export async function exchange(
  question: Question,
  stream: Duplex,
  maxBytes: number,
): Promise<Answer> {
  const response = await ask(question, stream);
  const encoding = encodingOf(response, question.method);
  const unpack = encoding === 'identity' ? undefined : DECODERS.get(encoding)?.();
  const { body, isCut } = await read(unpacked(response, unpack), maxBytes);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: headersOf(response),
    body,
    isCut,
    isSealed: encoding !== 'identity' && unpack === undefined,
  };
}

/** Of what comes; without a body, the header speaks of one that would have come. */
function encodingOf({ headers, statusCode = 0 }: IncomingMessage, method: Method): string {
  const isEmpty =
    method === 'HEAD' || BODILESS.includes(statusCode) || headers['content-length'] === '0';
  return isEmpty ? 'identity' : (headers['content-encoding']?.trim().toLowerCase() ?? 'identity');
}

const BODILESS: readonly number[] = [204, 304];

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

function ask(question: Question, stream: Duplex): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { host, pathname, search } = new URL(question.url);
  const request = httpRequest({
    createConnection: () => stream,
    method: question.method,
    path: `${pathname}${search}`,
    headers: {
      'user-agent': 'palyra',
      accept: 'text/html, text/*, application/json, */*;q=0.5',
      'accept-encoding': [...DECODERS.keys()].filter((name) => name !== 'x-gzip').join(', '),
      ...Object.fromEntries(question.headers.map(({ name, value }) => [name, value])),
      host,
      connection: 'close',
    },
    maxHeaderSize: MAX_HEAD_BYTES,
    insecureHTTPParser: false,
  });
  request.once('response', resolve);
  request.on('error', reject);
  stream.once('close', () => reject(new Error('the host hung up before it answered')));
  request.end(question.body);
  return promise;
}

function headersOf(response: IncomingMessage): ReadonlyMap<string, string> {
  const entries = Object.entries(response.headersDistinct);
  return new Map(entries.map(([name, values = []]) => [name, values.join(', ')]));
}

/** Whatever fails on the way in fails what comes out. */
function unpacked(response: IncomingMessage, unpack: Transform | undefined): Readable {
  if (unpack === undefined) return response;
  response.on('error', (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

async function read(stream: Readable, maxBytes: number) {
  const chunks: AsyncIterable<Buffer> = stream;
  const pieces: Buffer[] = [];
  let room = maxBytes;
  for await (const chunk of chunks) {
    pieces.push(chunk.subarray(0, room));
    if (chunk.length > room) return { body: Buffer.concat(pieces), isCut: true };
    room -= chunk.length;
  }
  return { body: Buffer.concat(pieces), isCut: false };
}
