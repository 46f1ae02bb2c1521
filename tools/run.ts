import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside the environment of everything that is started. */
  readonly env?: Readonly<Record<string, string>>;
  /** `show` passes everything on as it comes, `keep` holds it back for the result, `both` does both, for as long as it takes. */
  readonly output: 'show' | 'keep' | 'both';
}

export interface Result {
  readonly code: number;
  /** Both streams in the order they came; empty when the output was shown. */
  readonly output: string;
}

export const ROOT = join(import.meta.dirname, '..');
/** Longer than everything but a campaign may take; whatever still runs then hangs. */
const LIMIT_MS = 60 * 60_000;
/** Enough for every complaint a person will read; the start of a runaway output is dropped. */
const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

/** The environment of everything the tools start: our binaries first, compilations kept. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return {
    ...process.env,
    PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
  };
}

/** Contract: resolves with the exit code; rejects only when the program cannot be started. */
export function run({ program, args, env, output }: Command): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stream = output === 'show' ? 'inherit' : 'pipe';
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...environment(), ...env },
      ...(output === 'both' ? {} : { timeout: LIMIT_MS }),
      stdio: ['ignore', stream, stream],
    });
    const kept: Buffer[] = [];
    let keptBytes = 0;
    const keep = (chunk: Buffer) => {
      if (output === 'both') process.stdout.write(chunk);
      kept.push(chunk);
      keptBytes += chunk.length;
      while (keptBytes > MAX_OUTPUT_BYTES) keptBytes -= kept.shift()?.length ?? keptBytes;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(kept).toString('utf8') }),
    );
  });
}
