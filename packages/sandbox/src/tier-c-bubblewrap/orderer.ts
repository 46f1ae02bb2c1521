import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Bytes } from '@palyra/kernel';
import type { Child } from '../handed-streams.ts';

/**
 * Hands the one order over. Contract: whoever waits for an order that never comes hears so when the child has ended.
 * INVARIANT: nothing is written once the stream is closed: what has its number then is somebody else's.
 */
export function orderer({ hasEnded }: Pick<Child, 'hasEnded'>, fd: number): (order: Bytes) => void {
  const stream = new Socket({ fd, readable: false, writable: true });
  // A starter that ends early closes its end; that it ended is told elsewhere.
  stream.on('error', () => {});
  void hasEnded.then(() => stream.destroy());
  // At once and by ourselves: a stream would first make itself ready for what need not wait.
  return (order) => {
    if (stream.destroyed) return;
    const rest = order.subarray(writeNow(fd, order));
    // It says itself how long it is: to close the stream, too, can wait for the end of the child.
    if (rest.length > 0) stream.end(rest);
  };
}

/** Contract: how much of it was taken. */
function writeNow(descriptor: number, bytes: Bytes): number {
  try {
    return writeSync(descriptor, bytes);
  } catch {
    // There is no room at the moment, or nobody who reads: the stream finds out which.
    return 0;
  }
}
