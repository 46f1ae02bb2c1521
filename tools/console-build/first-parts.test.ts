import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Rolldown, build } from 'vite';
import { expect, it } from 'vitest';
import { FIRST_PARTS, firstParts } from './first-parts.ts';

/** A console of a few lines, with the same names as the real one. */
const FILES = {
  'index.html':
    '<!doctype html><head><script type="module" src="/console/src/main.ts"></script></head>',
  'console/src/main.ts': `import { shared } from './shared.ts';
    const { show } = await import('./app/show.tsx'); show(shared);`,
  'console/src/shared.ts': `export const shared = 'shared by all';`,
  'console/src/app/show.tsx': `import { look } from './look.ts'; import { shared } from '../shared.ts';
    export const show = async (word: string) => look(word, shared, await import('../second.ts'), await import('../page.ts'));`,
  'console/src/app/look.ts': `export const look = (...words: unknown[]) => console.log('on the first frame', words);`,
  'console/src/second.ts': `export { rest } from './rest.ts';`,
  'console/src/rest.ts': `import { look } from './app/look.ts'; export const rest = () => look('after it');`,
  'console/src/page.ts': `export const page = 'when one goes there';`,
};

type Part = Rolldown.OutputChunk | Rolldown.OutputAsset;

async function built(): Promise<readonly Part[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-parts-'));
  await mkdir(join(folder.path, 'console/src/app'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder.path, name), text);
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    root: folder.path,
    plugins: [firstParts()],
    build: {
      write: false,
      target: 'es2024',
      modulePreload: { polyfill: false },
      rolldownOptions: { output: FIRST_PARTS },
    },
  });
  if (Array.isArray(made) || !('output' in made)) throw new TypeError('not one build');
  return made.output;
}

function pageIn(parts: readonly Part[]): string {
  const page = parts.find(({ fileName }) => fileName === 'index.html');
  if (page?.type !== 'asset') throw new TypeError('there is no page');
  return String(page.source);
}

it('what Home needs comes in three files, the first frame compiled at once, the rest only fetched', async () => {
  const parts = await built();
  const chunks = parts.filter((part) => part.type === 'chunk');
  const [start, frame, second, page] = [
    'shared by all',
    'on the first frame',
    'after it',
    'when one goes there',
  ].map((text) => chunks.find(({ code }) => code.includes(text)));
  expect(new Set([start, frame, second, page]).size).toBe(4);
  const eager = chunks.filter(({ code }) => code.startsWith('//# allFunctionsCalledOnLoad\n'));
  expect(eager).toEqual([frame]);

  const html = pageIn(parts);
  expect(html).toContain(`<script type="module" crossorigin src="/${start?.fileName}">`);
  expect(html).toContain(`<link rel="modulepreload" href="/${frame?.fileName}" crossorigin>`);
  expect(html).toContain(
    `<link rel="preload" as="script" href="/${second?.fileName}" crossorigin>`,
  );
  expect(html).not.toContain(page?.fileName ?? 'none');
});
