import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Bytes } from '@palyra/kernel';
import { outOfDescriptors } from './out-of-descriptors.ts';

/** Our ends of what a process was started with, by number. */
export interface Stdio {
  readonly stdio: readonly (Readable | Writable | null | undefined)[];
}

/** The most that is kept of what a cage says about itself. */
const MAX_STATUS = 8192;

/** Node gives no streams at all, whatever its types say, to one for which there were no descriptors. */
export function insistOnStreams(child: ChildProcess): void {
  if (Array.isArray(child.stdio)) return;
  // Told again later, when nobody is there any more to hear it.
  child.once('error', () => {});
  throw outOfDescriptors();
}

/** The last that is written to it. */
export function endWith(child: Stdio, descriptor: number | undefined, bytes: Bytes | string): void {
  sinkOf(child, descriptor)?.end(bytes);
}

function sinkOf({ stdio }: Stdio, descriptor: number | undefined): Writable | undefined {
  const stream = descriptor === undefined ? undefined : stdio[descriptor];
  if (stream === null || stream === undefined || !('end' in stream)) return undefined;
  // bwrap that ends early closes its end; that it ended is told elsewhere.
  return stream.on('error', () => {});
}

export function streamOf(child: Stdio, descriptor: number | undefined): Readable | null {
  const stream = descriptor === undefined ? undefined : child.stdio[descriptor];
  return stream !== null && stream !== undefined && 'read' in stream ? stream : null;
}

export async function firstLine(stream: Readable | null): Promise<string> {
  const text = gather(stream, MAX_STATUS);
  await new Promise<void>((resolve) => {
    stream?.on('data', () => {
      if (text().includes('\n')) resolve();
    });
    stream?.once('close', resolve);
    if (stream === null) resolve();
  });
  return text();
}

/** Resolves when the other side has let go of it, or there is none. */
export async function closed(stream: Readable | null): Promise<void> {
  // Only who reads hears of it.
  stream?.resume();
  await new Promise<void>((resolve) => {
    if (stream === null) resolve();
    stream?.once('close', resolve);
  });
}

export function gather(stream: Readable | null, most: number): () => string {
  let text = '';
  stream?.on('data', (chunk: Bytes) => {
    if (text.length < most)
      text += Buffer.from(chunk)
        .toString('utf8')
        .slice(0, most - text.length);
  });
  stream?.on('error', () => stream.destroy());
  return () => text;
}
