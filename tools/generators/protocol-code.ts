import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../run.ts';
import type { Generator, Pages } from './generator.ts';

const PACKAGE = 'packages/protocol';
const OWNS = `${PACKAGE}/src/gen`;

/** TypeScript from the .proto files, by buf, in a folder of its own. */
export const protocolCode: Generator = {
  owns: OWNS,
  async render(root) {
    const folder = mkdtempSync(join(tmpdir(), 'palyra-protocol-'));
    try {
      return await generateInto(folder, root);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function generateInto(folder: string, root: string): Promise<Pages> {
  const template = join(root, PACKAGE, 'buf.gen.yaml');
  const { code, output } = await run({
    program: 'buf',
    args: ['generate', join(root, PACKAGE), '--template', template, '-o', folder],
    output: 'keep',
  });
  if (code !== 0) throw new Error(`buf could not generate: ${output.trim()}`);
  const made = join(folder, 'src/gen');
  const paths = readdirSync(made, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.map((path) => [
      `${OWNS}/${path.slice(made.length + 1).replaceAll('\\', '/')}`,
      readFileSync(path, 'utf8'),
    ]),
  );
}
