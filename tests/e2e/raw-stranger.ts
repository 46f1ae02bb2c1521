import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  connect as connectHttp2,
} from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { type TLSSocket, connect } from 'node:tls';
import { Code } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { parseAddress } from '@palyra/client';
import { ErrorCode, ErrorDetailSchema } from '@palyra/protocol';

export const BEGIN = '/palyra.v1.PairingService/BeginPairing';
export const FINISH = '/palyra.v1.PairingService/FinishPairing';

/** A message as gRPC sends it. */
export function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A call of which we see every byte. */
export class RawCall {
  readonly messages: Uint8Array[] = [];
  /** `ok`, the code of the refusal, `HTTP` and a status, or `broken off`. */
  readonly ending: Promise<string>;
  readonly #stream: ClientHttp2Stream;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    const headers: IncomingHttpHeaders[] = [];
    stream.on('error', () => stream.destroy());
    stream.on('response', (said) => headers.push(said));
    stream.on('trailers', (said) => headers.push(said));
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    this.ending = new Promise((resolve) => {
      stream.once('close', () => resolve(endingOf(headers)));
    });
  }

  /** The first message, or how the call ended without one. */
  async first(): Promise<Uint8Array | string> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      while (this.messages.length === 0 && !this.#stream.closed) {
        const heard = once(this.#stream, 'data', { signal }).catch(() => undefined);
        await Promise.race([heard, this.ending]);
      }
      return this.messages[0] ?? (await this.ending);
    } finally {
      waiting.abort();
    }
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 5) {
      const end = 5 + this.#rest.readUInt32BE(1);
      if (this.#rest.length < end) return;
      this.messages.push(Uint8Array.from(this.#rest.subarray(5, end)));
      this.#rest = this.#rest.subarray(end);
    }
  }
}

function endingOf(said: readonly IncomingHttpHeaders[]): string {
  const status = String(said[0]?.[':status'] ?? '200');
  const trailers = said.findLast((each) => each['grpc-status'] !== undefined);
  if (trailers === undefined) return status === '200' ? 'broken off' : `HTTP ${status}`;
  const fields = Object.entries(trailers).filter(([name]) => name.startsWith('grpc-'));
  const error = findTrailerError(new Headers(fields.map(([name, value]) => [name, String(value)])));
  if (error === undefined) return 'ok';
  const [detail] = error.findDetails(ErrorDetailSchema);
  const known = Object.entries(ErrorCode).find(([, number]) => number === detail?.code);
  return known?.[0] ?? Code[error.code];
}

export interface Dialled {
  readonly address: string;
  /** From which of the addresses of this machine. */
  readonly from?: string;
}

/** One connection without a certificate, that believes whatever it is shown. */
export class RawStranger implements Disposable {
  readonly serverFingerprint: Uint8Array;
  readonly #session: ClientHttp2Session;

  static async dial({ address, from = '127.0.0.1' }: Dialled): Promise<RawStranger> {
    const socket = connect({
      socket: connectTcp({ ...parseAddress(address), localAddress: from }),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
    await once(socket, 'secureConnect');
    return new RawStranger(socket);
  }

  constructor(socket: TLSSocket) {
    const shown = socket.getPeerX509Certificate()?.raw ?? '';
    this.serverFingerprint = Uint8Array.from(createHash('sha256').update(shown).digest());
    this.#session = connectHttp2('https://x', { createConnection: () => socket });
    this.#session.on('error', () => this.#session.destroy());
  }

  get isOpen(): boolean {
    return !this.#session.destroyed;
  }

  /** Contract: the bytes are the whole of what is sent; nothing is added to them. */
  say(path: string, bytes: Uint8Array, type = 'application/grpc'): RawCall {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': type,
      te: 'trailers',
    });
    const call = new RawCall(stream);
    stream.end(bytes);
    return call;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
