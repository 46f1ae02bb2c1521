import { join } from 'node:path';
import { type BuildOptions, type Metafile, type OutputFile, build } from 'esbuild';
import { ROOT } from './run.ts';

export interface Program {
  /** The name it is started by and the name of its file in dist/. */
  readonly name: string;
  readonly app: string;
}

export const PROGRAMS: readonly Program[] = [
  { name: 'palyra', app: 'apps/palyra-cli' },
  { name: 'palyrad', app: 'apps/palyrad' },
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
export async function bundle({ app }: Program, root = ROOT): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    ...OPTIONS,
    absWorkingDir: root,
    entryPoints: [join(root, app, 'src/main.ts')],
    outfile: join(root, 'dist/program.cjs'),
  });
  return { text: onlyFile(outputFiles).text, metafile };
}

function onlyFile(files: readonly OutputFile[]): OutputFile {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error('a bundle must be exactly one file');
  return file;
}
