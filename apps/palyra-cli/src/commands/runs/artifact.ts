import { byteWords } from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { writePrivately } from '../../private-output.ts';
import { UsageError } from '../../usage-error.ts';

/** As much as the gateway gives at once. */
const PAGE_BYTES = 1_048_576;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const file = invocation.text.get('out');
  if (file === undefined && wantsJson(invocation)) throw bytesAreTheAnswer();
  if (file === undefined && terminal.isInteractive) throw notForTerminals();
  const sha256 = argument(invocation, 1);
  const bytes = Buffer.concat(await Array.fromAsync(pagesOf(invocation, sha256)));
  if (file === undefined) {
    terminal.pass('stdout', bytes);
    return 'ok';
  }
  await writePrivately(file, bytes);
  if (wantsJson(invocation)) terminal.json('artifact', { file, sha256, bytes: bytes.length });
  else terminal.note(`wrote ${byteWords(bytes.length)} to ${file}`);
  return 'ok';
}

async function* pagesOf(invocation: Invocation, sha256: string): AsyncGenerator<Uint8Array> {
  const { runs } = daemonOf(invocation.shell);
  const wish = { runId: argument(invocation, 0), sha256, limit: PAGE_BYTES };
  for (let [at, size] = [0n, 1n]; at < size;) {
    const page = await runs.readArtifact({ ...wish, offset: at });
    if (page.data.length === 0) return;
    yield page.data;
    at += BigInt(page.data.length);
    size = page.size;
  }
}

function bytesAreTheAnswer(): UsageError {
  return new UsageError(
    '`--json` needs `--out FILE`: without it the bytes themselves are the output',
    'add `--out FILE`, or leave `--json` out',
  );
}

/** Whatever a tool left could tell a terminal what to do. */
function notForTerminals(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'what a tool left is not written to a terminal', {
    help: 'add `--out FILE`, or lead the output into a program',
  });
}
