import type { Readable } from 'node:stream';
import type { Bytes } from '@palyra/kernel';
import { READY } from '../tier-c-bubblewrap/launcher.ts';
import { type Report, parseReport } from './starter-elf.ts';

const MAX_REPORT = 64;

/** First one byte of the shell, then what the starter has to say. */
export function readReport(stream: Readable): {
  readonly ready: Promise<string>;
  readonly rest: Promise<Report | undefined>;
} {
  const ready = Promise.withResolvers<string>();
  const rest = Promise.withResolvers<Report | undefined>();
  let bytes = Buffer.alloc(0);
  stream.on('data', (chunk: Bytes) => {
    if (bytes.length < MAX_REPORT) bytes = Buffer.concat([bytes, chunk]);
    ready.resolve(bytes.toString('latin1', 0, READY.length));
  });
  stream.once('error', () => stream.destroy());
  stream.once('close', () => {
    ready.resolve('');
    rest.resolve(parseReport(bytes.subarray(READY.length)));
  });
  return { ready: ready.promise, rest: rest.promise };
}
