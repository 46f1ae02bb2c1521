import type { Readable } from 'node:stream';
import type { Bytes } from '@palyra/kernel';
import { READY } from '../tier-c-bubblewrap/launcher.ts';
import { type Report, parseReport } from './starter-elf.ts';

export interface ReportReading {
  /** The shell's first byte; empty when it said nothing. */
  readonly ready: Promise<string>;
  /** What became of the command, as soon as that is told; `undefined` when nobody said. */
  readonly rest: Promise<Report | undefined>;
  /** Whether all marks of the shell have come, once they have or never will. */
  readonly begun: Promise<boolean>;
  /** Resolves when nobody is left who could report. */
  readonly closed: Promise<void>;
  /** Whether all marks of the shell have come, as far as is known. */
  readonly hasBegun: () => boolean;
}

const MAX_REPORT = 64;

/** Contract: `marks` is what the shell says, a byte each and `READY` first, before the starter speaks. */
export function readReport(stream: Readable, marks: string): ReportReading {
  const ready = Promise.withResolvers<string>();
  const rest = Promise.withResolvers<Report | undefined>();
  const begun = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  let bytes = Buffer.alloc(0);
  const hasBegun = () => bytes.toString('latin1', 0, marks.length) === marks;
  stream.on('data', (chunk: Bytes) => {
    if (bytes.length < MAX_REPORT) bytes = Buffer.concat([bytes, chunk]);
    ready.resolve(bytes.toString('latin1', 0, READY.length));
    if (hasBegun()) begun.resolve(true);
    const report = parseReport(bytes.subarray(marks.length));
    if (report !== undefined) rest.resolve(report);
  });
  stream.once('error', () => stream.destroy());
  stream.once('close', () => {
    closed.resolve();
    begun.resolve(false);
    ready.resolve('');
    rest.resolve(parseReport(bytes.subarray(marks.length)));
  });
  return {
    ready: ready.promise,
    rest: rest.promise,
    begun: begun.promise,
    closed: closed.promise,
    hasBegun,
  };
}
