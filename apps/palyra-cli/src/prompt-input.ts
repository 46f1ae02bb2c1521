import { PalyraError } from '@palyra/kernel';

/** Of a prompt from standard input. The daemon has a limit of its own, `runs.max_prompt_bytes`. */
export const MAX_PROMPT_BYTES = 1024 * 1024;

// Bytes that are no text must not become replacement characters that the model then reads.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a prompt to its end. Contract: throws INVALID_INPUT when it is too long or not UTF-8. */
export async function readPrompt(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_PROMPT_BYTES) {
      throw new PalyraError(
        'INVALID_INPUT',
        `the prompt on standard input is longer than ${MAX_PROMPT_BYTES} bytes`,
        { help: 'give a shorter one, and name files in it instead of their content' },
      );
    }
    parts.push(chunk);
  }
  try {
    return decoder.decode(Buffer.concat(parts, size));
  } catch (cause) {
    throw new PalyraError('INVALID_INPUT', 'the prompt on standard input is not UTF-8', {
      cause,
      help: 'convert it first, for example with `iconv -t UTF-8`',
    });
  }
}
