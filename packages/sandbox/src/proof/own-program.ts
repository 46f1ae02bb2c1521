import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '@palyra/kernel';

/**
 * SHA-256, in hex, of the program that we are: what another build has seen is looked at anew, since that may have
 * judged it otherwise. Contract: empty where it cannot be read; run from its sources it is the first of them.
 */
export function ownProgram(entry = process.argv[1] ?? ''): string {
  // What is started is a few lines; the program is in a folder beside them.
  const program = join(dirname(entry), 'program', basename(entry));
  const text = textOf(program) ?? textOf(entry);
  return text === undefined ? '' : sha256Hex(text);
}

function textOf(file: string): Buffer<ArrayBuffer> | undefined {
  try {
    return readFileSync(file);
  } catch {
    // It is not there, or not to be read.
    return undefined;
  }
}
