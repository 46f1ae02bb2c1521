import { Code, ConnectError } from '@connectrpc/connect';
import type { NodeRequest } from './patience.ts';

/**
 * What a caller sends, piece by piece and no faster than it is taken: what Node makes of a stream as
 * well, without a generator and half a dozen listeners for each of many small requests.
 * Contract: iterated once; whoever stops early lets go of the request, which ends as `patience.ts` says.
 */
export function bodyOf(request: NodeRequest, limitBytes: number): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => new Pieces(request, limitBytes) };
}

class Pieces implements AsyncIterator<Uint8Array, undefined> {
  readonly #request: NodeRequest;
  readonly #limitBytes: number;
  #length = 0;
  #fault: unknown;
  #goOn: (() => void) | undefined;

  constructor(request: NodeRequest, limitBytes: number) {
    this.#request = request;
    this.#limitBytes = limitBytes;
    const goOn = () => this.#goOn?.();
    request.on('readable', goOn);
    request.on('end', goOn);
    request.on('close', goOn);
    request.on('error', (fault) => {
      this.#fault = fault;
      goOn();
    });
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const request = this.#request;
    for (;;) {
      const piece: unknown = request.destroyed ? null : request.read();
      if (piece instanceof Uint8Array) return { done: false, value: this.#counted(piece) };
      // Over HTTP/2 it ends as well where its connection broke.
      const isCut = 'stream' in request && request.stream.aborted;
      if (request.readableEnded && !isCut) return { done: true, value: undefined };
      // It may have happened before anybody listened, too.
      if (isCut || request.destroyed) throw brokeOff(this.#fault);
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
    }
  }

  /** What else comes over HTTP/1.1 is read and dropped: a caller who is still sending hears no answer. */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    const request = this.#request;
    request.removeAllListeners('readable');
    if ('stream' in request) request.destroy();
    else request.resume();
    return { done: true, value: undefined };
  }

  #counted(piece: Uint8Array): Uint8Array {
    this.#length += piece.length;
    if (this.#length <= this.#limitBytes) return piece;
    const message = `the request is longer than ${this.#limitBytes} bytes`;
    throw new ConnectError(message, Code.ResourceExhausted);
  }
}

/** The caller's doing, not a fault of ours that the log should show. */
function brokeOff(cause: unknown): ConnectError {
  return new ConnectError('the request broke off', Code.Aborted, undefined, undefined, cause);
}
