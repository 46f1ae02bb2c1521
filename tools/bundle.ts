import { join } from 'node:path';
import {
  type BuildOptions,
  type Metafile,
  type OutputFile,
  type Plugin,
  build as esbuild,
} from 'esbuild';
import { keptNames } from './kept-names.ts';
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

/** A process or a thread that a program starts from a file beside its own. */
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
  {
    name: 'html-worker',
    app: 'apps/palyrad',
    entry: 'packages/tools/src/http-fetch/html-worker.ts',
  },
];

/**
 * A part of a program that lies beside it. Only `import()` reaches it, so that nothing of it is read
 * before. It has its own copy of what it shares with the rest, so that must hold no state and no class.
 */
export interface Part {
  /** Of its file; one that ends with `.mjs` stays a module: something in it waits while it loads. */
  readonly file: string;
  /** Of the program. */
  readonly app: string;
  readonly entry: string;
}

export const PARTS: readonly Part[] = [
  // Everything but the few lines that need nothing: reading it takes a third of the start of Node.
  {
    file: 'palyra-command-line.cjs',
    app: 'apps/palyra-cli',
    entry: 'apps/palyra-cli/src/command-line.ts',
  },
  { file: 'chat-screen.mjs', app: 'apps/palyra-cli', entry: 'apps/palyra-cli/src/chat/screen.ts' },
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

/** What is imported late is required: `import()` would bring up the loader of modules for it. */
const PLAIN_OPTIONS = { ...OPTIONS, supported: { 'dynamic-import': false } } as const;

/** A module has no `require`, and libraries in CommonJS ask for one. */
const MODULE_OPTIONS = {
  ...OPTIONS,
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
  format: 'esm',
} as const satisfies BuildOptions;

/** Contract: writes nothing; rejects with esbuild's own words when the sources do not fit together. */
export async function bundle({ app, start }: Program, root = ROOT): Promise<Bundle> {
  const entry = join(app, 'src/main.ts');
  const plugins = [oneLanguage, partsBeside(root)];
  if (start !== 'recorded') return await bundleFrom(entry, root, { ...PLAIN_OPTIONS, plugins });
  // What nobody uses is left out of a bundle, but not where it is made late.
  plugins.push(lazyDescriptions, keptNames);
  // A third less to read and to check at every start.
  return await bundleFrom(entry, root, { ...OPTIONS, plugins, minifyIdentifiers: true });
}

export async function bundleHelper({ entry }: Helper, root = ROOT): Promise<Bundle> {
  return await bundleFrom(entry, root, { ...OPTIONS, plugins: [oneLanguage] });
}

export async function bundlePart({ file, entry }: Part, root = ROOT): Promise<Bundle> {
  const how = file.endsWith('.mjs')
    ? { ...MODULE_OPTIONS, plugins: [withoutDevtools] }
    : { ...OPTIONS, plugins: [oneLanguage, partsBeside(root)] };
  return await bundleFrom(entry, root, how);
}

/** Leaves a part where it is: the program asks for the file beside it. */
function partsBeside(root: string): Plugin {
  return {
    name: 'parts-beside',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const file = join(resolveDir, path);
        const part = PARTS.find(({ entry }) => join(root, entry) === file);
        if (part === undefined || kind !== 'dynamic-import') return undefined;
        return { path: `./${part.file}`, external: true };
      });
    },
  };
}

/** The library for terminals would look for a debugger of its makers; a program has none. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(build) {
    build.onResolve({ filter: /^\.\/devtools\.js$/ }, () => ({
      path: 'devtools',
      namespace: 'nothing',
    }));
    build.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }));
  },
};

type HowToBuild = (typeof OPTIONS | typeof PLAIN_OPTIONS | typeof MODULE_OPTIONS) & {
  readonly plugins: Plugin[];
  readonly minifyIdentifiers?: true;
};

async function bundleFrom(entry: string, root: string, how: HowToBuild): Promise<Bundle> {
  const { metafile, outputFiles } = await esbuild({
    ...how,
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    outfile: join(root, 'dist/program.cjs'),
  });
  return { text: onlyFile(outputFiles).text, metafile };
}

/** Everything that a program is made of, its helpers and parts included. */
export async function metafilesOf(program: Program, root = ROOT): Promise<readonly Metafile[]> {
  const isOfProgram = ({ app }: Helper | Part) => app === program.app;
  const bundles = await Promise.all([
    bundle(program, root),
    ...HELPERS.filter(isOfProgram).map((helper) => bundleHelper(helper, root)),
    ...PARTS.filter(isOfProgram).map((part) => bundlePart(part, root)),
  ]);
  return bundles.map(({ metafile }) => metafile);
}

function onlyFile(files: readonly OutputFile[]): OutputFile {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error('a bundle must be exactly one file');
  return file;
}
