import { writeSync } from 'node:fs';

export type WriteError = NodeJS.ErrnoException;

/** What to do when nothing more can be shown. Neither comes back in the program itself. */
export interface WriteEnds {
  /** The reader of a pipe has seen enough. */
  readonly onReaderGone: () => void;
  /** The disk is full, or whatever else the platform says. */
  readonly onWriteFailed: (error: WriteError) => void;
}

/** For one short answer: opening the streams costs more than everything else about it. */
export function sayAtOnce(text: string, ends: WriteEnds): void {
  try {
    writeSync(1, text);
  } catch {
    // A pipe that is full or closed right now: the stream knows how to wait, and what is wrong.
    process.stdout.on('error', (error) => endWriting(ends, error));
    process.stdout.write(text);
  }
}

export function endWriting(ends: WriteEnds, error: WriteError): void {
  if (error.code === 'EPIPE') ends.onReaderGone();
  else ends.onWriteFailed(error);
}
