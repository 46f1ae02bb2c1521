import type { Duplex } from 'node:stream';
import { Refused, type Refusal } from '../refusal.ts';

/** What a reader makes of the bytes so far. `rest` is what comes after, for whoever reads next. */
export type Progress<Value> =
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly value: Value; readonly rest: Buffer }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** Contract: looks at each byte once, so that one who sends them singly cannot make it slow. */
export interface Incremental<Value> {
  push(chunk: Buffer): Progress<Value>;
}

export const MORE = { kind: 'more' } as const;

export function refuse(reason: Refusal): { readonly kind: 'refused'; readonly reason: Refusal } {
  return { kind: 'refused', reason };
}

export interface ReadBounds {
  readonly deadlineMs: number;
  readonly ifLate: Refusal;
  /** For a stream that ends before the reader has what it needs. */
  readonly ifEnded: Refusal;
}

/**
 * Feeds what arrives to the reader until it is done; the rest is put back. Leaves the stream paused.
 * Contract: rejects with Refused, also when the stream ends first.
 */
export async function readFrom<Value>(
  stream: Duplex,
  reader: Incremental<Value>,
  { deadlineMs, ifLate, ifEnded }: ReadBounds,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const onData = (chunk: Buffer) => {
    const progress = reader.push(chunk);
    if (progress.kind === 'more') return;
    stop();
    if (progress.kind === 'refused') return reject(new Refused(progress.reason));
    if (progress.rest.length > 0) stream.unshift(progress.rest);
    resolve(progress.value);
  };
  const onClose = () => {
    stop();
    reject(new Refused(ifEnded));
  };
  const timer = setTimeout(() => {
    stop();
    reject(new Refused(ifLate));
  }, deadlineMs);
  const stop = () => {
    clearTimeout(timer);
    stream.off('data', onData).off('end', onClose).off('close', onClose);
    stream.pause();
  };
  stream.on('data', onData).on('end', onClose).on('close', onClose);
  if (stream.destroyed || stream.readableEnded) onClose();
  else stream.resume();
  return promise;
}
