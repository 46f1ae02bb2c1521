import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/**
 * The writer in one file, which starts in half the time, and once at work, so that what was compiled
 * is kept: those that are killed keep nothing. A campaign also keeps the code that it began with.
 * Contract: gives the file's path in the folder.
 */
export async function bundleWriter(folder: string): Promise<string> {
  const outfile = join(folder, 'writer.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'writer.ts')],
    outfile,
    bundle: true,
    // Bundled CommonJS packages ask for the platform's modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    format: 'esm',
    logLevel: 'silent',
    platform: 'node',
    target: 'node26',
  });
  const env = { ...process.env, ...compiledFor(outfile) };
  await promisify(execFile)(process.execPath, [outfile, join(folder, 'first'), '1', '1'], { env });
  return outfile;
}

/** For the environment of a bundled writer. */
export function compiledFor(writer: string): Readonly<Record<string, string>> {
  return { NODE_COMPILE_CACHE: join(dirname(writer), 'compiled') };
}
