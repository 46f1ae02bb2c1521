import type { Duplex } from 'node:stream';

export interface RelayStep {
  /** What of the bytes goes on. Contract: may throw, which ends the relay with it. */
  readonly pass: (chunk: Buffer) => readonly Buffer[];
  /** Asked after each chunk: nothing more is read once it is true. */
  readonly isDone?: () => boolean;
}

/** How a relay came to its end: all was said, or one side vanished. */
export type RelayEnd = 'ended' | 'gone';

/**
 * Moves bytes one way, as fast as the slower side. Contract: rejects only with what `pass` throws;
 * ends neither side, that is for whoever knows what it means.
 */
export async function relay(from: Duplex, to: Duplex, step: RelayStep): Promise<RelayEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<RelayEnd>();
  const onData = (chunk: Buffer) => {
    try {
      let isRoomy = true;
      for (const piece of step.pass(chunk)) isRoomy = to.write(piece);
      if (step.isDone?.() === true) onEnd();
      else if (!isRoomy) from.pause();
    } catch (error) {
      stop();
      reject(error);
    }
  };
  const onDrain = () => from.resume();
  const onEnd = () => {
    stop();
    resolve('ended');
  };
  const onGone = () => {
    stop();
    resolve('gone');
  };
  const stop = () => {
    from.off('data', onData).off('end', onEnd).off('close', onGone);
    to.off('drain', onDrain).off('close', onGone);
    from.pause();
  };
  from.on('data', onData).on('end', onEnd).on('close', onGone);
  to.on('drain', onDrain).on('close', onGone);
  if (from.destroyed || to.destroyed) onGone();
  else if (from.readableEnded) onEnd();
  else from.resume();
  return promise;
}
