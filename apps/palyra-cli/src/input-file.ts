import { open } from 'node:fs/promises';
import { PalyraError } from '@palyra/kernel';

export interface Input extends AsyncDisposable {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file that a person named, `-` for standard input, and checks what was opened. */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') {
    return { chunks: process.stdin, [Symbol.asyncDispose]: async () => {} };
  }
  const file = await openOrExplain(path);
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    throw new PalyraError('INVALID_INPUT', `\`${path}\` is a directory`, {
      help: 'name an export file, or `-` for standard input',
    });
  }
  const stream = file.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false });
  return {
    chunks: stream,
    async [Symbol.asyncDispose]() {
      stream.destroy();
      await file.close();
    },
  };
}

async function openOrExplain(path: string) {
  try {
    return await open(path, 'r');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const why = code === 'ENOENT' ? 'there is no file' : 'cannot open';
    const help = 'name an export file, or `-` for standard input';
    throw new PalyraError('INVALID_INPUT', `${why} \`${path}\``, { cause, help });
  }
}
