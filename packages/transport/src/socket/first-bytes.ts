import type { Socket } from 'node:net';

export type Speech = 'http1' | 'http2';

const PREFACE = Buffer.from('PRI * HTTP/2.0', 'latin1');

/** Contract: `undefined` as long as the bytes may still become either; never for 14 or more. */
export function recognise(bytes: Uint8Array): Speech | undefined {
  const length = Math.min(bytes.length, PREFACE.length);
  const isPrefix = PREFACE.subarray(0, length).equals(bytes.subarray(0, length));
  if (!isPrefix) return 'http1';
  return length === PREFACE.length ? 'http2' : undefined;
}

/**
 * Reads just enough of a new connection to know what it speaks and puts it back.
 * A connection that says too little for too long is closed. Calls `decided` at most once.
 */
export function awaitSpeech(
  socket: Socket,
  timeoutMs: number,
  decided: (speech: Speech) => void,
): void {
  let heard: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const onClose = () => clearTimeout(timer);
  const onData = (chunk: Buffer) => {
    heard = heard.length === 0 ? chunk : Buffer.concat([heard, chunk]);
    const speech = recognise(heard);
    if (speech === undefined) return;
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose);
    socket.pause();
    socket.unshift(heard);
    decided(speech);
  };
  socket.on('data', onData).once('close', onClose);
}
