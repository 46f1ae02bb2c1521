import { PalyraError } from '@palyra/kernel';

const MAX_BYTES = 4096;

/** The first line of an input. Contract: throws INVALID_INPUT when it is empty or too long. */
export async function firstLine(chunks: AsyncIterable<Uint8Array>, what: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES || chunk.includes(0x0a)) break;
  }
  const [line = ''] = Buffer.concat(parts).toString('utf8').split('\n', 1);
  if (size <= MAX_BYTES && line.trim() !== '') return line.trim();
  throw new PalyraError('INVALID_INPUT', `there is no ${what} on standard input`, {
    help: 'write it as the first line, or start the command at a terminal',
  });
}
