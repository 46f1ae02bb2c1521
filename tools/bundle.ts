import { join } from 'node:path';
import { type BuildOptions, type Metafile, type OutputFile, type Plugin, build } from 'esbuild';
import type { Start } from './launcher.ts';
import { lazyDescriptions } from './lazy-descriptions.ts';
import { oneLanguage } from './one-language.ts';
import { ROOT } from './run.ts';

export interface Program {
  /** The name it is started by and the name of its file in dist/. */
  readonly name: string;
  readonly app: string;
  /** `plain` unless said otherwise. */
  readonly start?: Start;
}

export const PROGRAMS: readonly Program[] = [
  { name: 'palyra', app: 'apps/palyra-cli' },
  { name: 'palyrad', app: 'apps/palyrad', start: 'recorded' },
  { name: 'sandboxd', app: 'apps/sandboxd' },
];

/** A process that a program starts from a file beside its own. */
export interface Helper {
  readonly name: string;
  /** Of the program. */
  readonly app: string;
  readonly entry: string;
}

export const HELPERS: readonly Helper[] = [
  {
    name: 'policy-worker',
    app: 'apps/palyrad',
    entry: 'packages/policy/src/worker/entry.ts',
  },
];

/** What a program reads from beside itself, as it stands: esbuild cannot put it inside. */
export const ASSETS: readonly string[] = [
  'node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm_bg.wasm',
];

export interface Bundle {
  readonly text: string;
  readonly metafile: Metafile;
}

// CommonJS starts faster than modules. It has no import.meta, so its parts are given by name.
const OPTIONS = {
  bundle: true,
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.url': '__fileUrl',
  },
  banner: {
    js: "'use strict';\nconst __fileUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  format: 'cjs',
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
  minifySyntax: true,
  minifyWhitespace: true,
  platform: 'node',
  target: 'node26',
  write: false,
} as const satisfies BuildOptions;

/** Contract: writes nothing; rejects with esbuild's own words when the sources do not fit together. */
export async function bundle({ app, start }: Program, root = ROOT): Promise<Bundle> {
  // What nobody uses is left out of a bundle, but not where it is made late.
  const plugins = start === 'recorded' ? [oneLanguage, lazyDescriptions] : [oneLanguage];
  return await bundleFrom(join(app, 'src/main.ts'), root, plugins);
}

export async function bundleHelper({ entry }: Helper, root = ROOT): Promise<Bundle> {
  return await bundleFrom(entry, root, [oneLanguage]);
}

async function bundleFrom(entry: string, root: string, plugins: Plugin[]): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    ...OPTIONS,
    plugins,
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    outfile: join(root, 'dist/program.cjs'),
  });
  return { text: onlyFile(outputFiles).text, metafile };
}

/** Everything that a program is made of, its helpers included. */
export async function metafilesOf(program: Program, root = ROOT): Promise<readonly Metafile[]> {
  const helpers = HELPERS.filter(({ app }) => app === program.app);
  const bundles = await Promise.all([
    bundle(program, root),
    ...helpers.map((helper) => bundleHelper(helper, root)),
  ]);
  return bundles.map(({ metafile }) => metafile);
}

function onlyFile(files: readonly OutputFile[]): OutputFile {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error('a bundle must be exactly one file');
  return file;
}
