import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@palyra/kernel';
import { ROOT } from '../run.ts';

const FORMAT = 'palyra.corpus.v1';

/**
 * What mutation starts from: good inputs, and bad ones that were worth keeping. Bytes are stored in
 * base64. Contract: throws when there is no such corpus, since without one nothing is tried.
 */
export function corpusOf(name: string): readonly Uint8Array[] {
  const path = join(ROOT, 'tests/corpus/wire', `${name}.json`);
  const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isJsonObject(stored) || stored['format'] !== FORMAT) throw new TypeError(`${path}: format`);
  const { encoding, inputs } = stored;
  if (!Array.isArray(inputs) || inputs.length === 0) throw new TypeError(`${path}: no inputs`);
  return inputs.map((input) => {
    if (typeof input !== 'string') throw new TypeError(`${path}: not a text`);
    return Uint8Array.from(Buffer.from(input, encoding === 'base64' ? 'base64' : 'utf8'));
  });
}
