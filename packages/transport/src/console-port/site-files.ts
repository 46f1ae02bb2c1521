import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PalyraError } from '@palyra/kernel';

/** A file of the console's build, as browsers ask for it. */
export interface SiteFile {
  readonly type: string;
  readonly path: string;
  /** The same, compressed; made together with it. */
  readonly brotli: string | undefined;
  /** Its name changes with its content. */
  readonly isForever: boolean;
}

export interface SiteFiles {
  /** By the path of an address. Contract: `undefined` for whatever the build does not hold. */
  find(path: string): Promise<SiteFile | undefined>;
  read(file: SiteFile, encoding: 'plain' | 'brotli'): Promise<Uint8Array>;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** A build has a few dozen, and those of older ones stay for a while; more is not ours. */
const MOST_FILES = 1_000;

/** Whoever comes anew starts here. */
export const START = '/index.html';

/**
 * INVARIANT: only what lay in the folder when a page was last started is ever opened, and no part of
 * an address becomes part of a path.
 */
export function createSiteFiles(folder: string): SiteFiles {
  const kept: { listing?: Promise<ReadonlyMap<string, SiteFile>> } = {};
  return {
    async find(path) {
      // The console may be built anew, or for the first time, while the daemon runs.
      if (path === START) delete kept.listing;
      kept.listing ??= listSite(folder);
      return (await kept.listing).get(path);
    },
    read: (file, encoding) =>
      readFile(encoding === 'brotli' ? (file.brotli ?? file.path) : file.path),
  };
}

async function listSite(folder: string): Promise<ReadonlyMap<string, SiteFile>> {
  const names = await namesIn(folder);
  if (names.length > MOST_FILES) {
    throw new PalyraError('OVERLOADED', `the console has more than ${MOST_FILES} files`, {
      help: 'remove `dist/console` and build it anew',
    });
  }
  const known = new Set(names);
  const files = names.flatMap((name): [string, SiteFile][] => {
    const type = TYPES.get(extname(name));
    if (type === undefined) return [];
    const path = join(folder, name);
    const brotli = known.has(`${name}.br`) ? `${path}.br` : undefined;
    return [[`/${name}`, { type, path, brotli, isForever: name.startsWith('assets/') }]];
  });
  return new Map(files);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && reason.code === 'ENOENT') return [];
    throw reason;
  }
}
