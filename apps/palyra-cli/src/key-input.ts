import { PalyraError } from '@palyra/kernel';

/** Longer than any key. */
const MAX_KEY_BYTES = 4096;

type Input = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };

/**
 * Reads a key to its end, from a file or another program.
 * Contract: throws INVALID_INPUT, without any of it, when it is too long or comes from a terminal,
 * which would show it.
 */
export async function readKey(input: Input): Promise<string> {
  if (input.isTTY === true) {
    throw new PalyraError('INVALID_INPUT', 'the key would be shown as it is typed', {
      help: 'give it as `… --key-stdin < FILE`, or from a password manager through a pipe',
    });
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MAX_KEY_BYTES) {
      throw new PalyraError(
        'INVALID_INPUT',
        `standard input is longer than ${MAX_KEY_BYTES} bytes`,
        {
          help: 'it has to hold the key and nothing else',
        },
      );
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts, size).toString('utf8').trim();
}
