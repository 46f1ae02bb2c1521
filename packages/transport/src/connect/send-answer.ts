import type { OutgoingHttpHeaders } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import type { NodeResponse } from './patience.ts';

/**
 * What connect-node does with an answer as well, without a promise, a callback and four listeners for
 * each of its pieces: there is one for each word of a model.
 * Contract: resolves when all is handed over; rejects when it could not be, and whoever makes the answer is told.
 */
export async function sendAnswer(
  { status, header, body, trailer }: UniversalServerResponse,
  { response, signal }: Addressee,
): Promise<void> {
  const pieces = body?.[Symbol.asyncIterator]();
  try {
    let piece = await pieces?.next();
    // Not before the first piece is there: until then its service may say something in a header.
    const headers = plain(header);
    if (piece?.done === false && trailer === undefined && isWhole(piece.value, headers)) {
      return sendWhole(piece.value, { status, headers }, { response, signal });
    }
    const outlet = new Outlet(response, signal);
    response.writeHead(status, headers);
    while (pieces !== undefined && piece?.done === false) {
      await outlet.write(piece.value);
      piece = await pieces.next();
    }
    if (trailer !== undefined) response.addTrailers(plain(trailer) ?? {});
    response.end();
  } catch (reason) {
    // Not waited for: how it ends is nothing to a caller who is gone.
    void pieces?.throw?.(reason).catch(() => undefined);
    throw reason;
  }
}

export interface Addressee {
  readonly response: NodeResponse;
  /** Aborted when the caller went away, also before there was an answer. */
  readonly signal: AbortSignal;
}

interface Head {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders | undefined;
}

/** Nearly every answer is one piece, and its header says so: nothing is waited for then. */
function isWhole(piece: Uint8Array, headers: OutgoingHttpHeaders | undefined): boolean {
  return headers?.['content-length'] === String(piece.length);
}

function sendWhole(piece: Uint8Array, head: Head, { response, signal }: Addressee): void {
  if (signal.aborted) throw gone();
  response.on('error', () => undefined);
  response.writeHead(head.status, head.headers);
  response.end(piece);
}

/** Hands pieces over no faster than they are taken. */
class Outlet {
  readonly #response: NodeResponse;
  readonly #signal: AbortSignal;
  #isClosed = false;
  #goOn: (() => void) | undefined;

  constructor(response: NodeResponse, signal: AbortSignal) {
    this.#response = response;
    this.#signal = signal;
    const goOn = () => this.#goOn?.();
    const close = () => {
      this.#isClosed = true;
      goOn();
    };
    response.on('drain', goOn);
    response.on('close', close);
    // Without it a caller who is gone in the middle of a piece would end the process.
    response.on('error', close);
  }

  async write(piece: Uint8Array): Promise<void> {
    // To one that was closed before all this nothing is written, and nothing is heard of it ever after.
    if (this.#isClosed || this.#signal.aborted) throw gone();
    if (this.#response.write(piece)) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    if (this.#isClosed) throw gone();
  }
}

function gone(): ConnectError {
  return new ConnectError('the caller went away', Code.Canceled);
}

function plain(headers: Headers | undefined): OutgoingHttpHeaders | undefined {
  if (headers === undefined) return undefined;
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const before = given[name];
    given[name] = before === undefined ? value : [before, value].flat();
  }
  return given;
}
