import { writeSync } from 'node:fs';
import { EXITS } from './exit-codes.ts';
import type { WriteEnds, WriteError } from './write-ends.ts';

/** The process ends where its output does. */
export const PROCESS_ENDS: WriteEnds = {
  // A reader that has seen enough (`| head`) is a good end, not a failure.
  onReaderGone: () => process.exit(EXITS.ok.code),
  onWriteFailed: (error) => {
    sayFailed(error);
    process.exit(EXITS.failure.code);
  },
};

function sayFailed({ message }: WriteError): void {
  try {
    writeSync(2, `error UNEXPECTED: the output cannot be written: ${message}\n`);
  } catch {
    // Standard error has the same trouble; the exit code still tells.
  }
}
