import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, transform } from 'esbuild';

/** A name by which esbuild takes generated code for CommonJS, whose exports may be made late. */
const LATE_ENDING = '.cjs';
/** Describes the words that all others are described with, so it is needed first in any case. */
const FIRST = '/descriptor_pb.js';
const IMPORT = /^import \{ (?<names>.+) \} from "(?<from>.+)";\n/gm;
const DESCRIPTION =
  /^export const (?<name>\w+) = \/\* @__PURE__ \*\/ (?<make>\w+)\((?<first>"[^"]*"|\w+)(?<rest>.*)\);$/gm;
const ENUM = /^export const (?<name>\w+) = \{$/gm;
const OLDER_ENUM = /^export var (?<name>\w+);$/gm;

/**
 * The generated code of a protocol describes its messages when it is loaded, all of them, which takes
 * longer than a start has. In a bundle each is described when it is first asked for, also those that
 * the library brings along.
 */
export const lazyDescriptions: Plugin = {
  name: 'lazy-descriptions',
  setup(build) {
    build.onResolve({ filter: /^\..*_pb\.[jt]s$/ }, ({ path, resolveDir }) =>
      path.endsWith(FIRST) ? undefined : { path: join(resolveDir, path) + LATE_ENDING },
    );
    build.onLoad({ filter: /_pb\.[jt]s\.cjs$/ }, async ({ path }) => {
      const source = await readFile(path.slice(0, -LATE_ENDING.length), 'utf8');
      const { code } = await transform(source, { loader: 'ts' });
      return { contents: describeLate(code) };
    });
    // What is required here is imported elsewhere, and must not come along in a second edition.
    build.onResolve({ filter: /^@bufbuild\// }, ({ kind, path, importer, resolveDir }) =>
      kind === 'require-call' && importer.endsWith(LATE_ENDING)
        ? build.resolve(path, { kind: 'import-statement', importer, resolveDir })
        : undefined,
    );
  },
};

/** Contract: throws for code in a form that is not known here. */
export function describeLate(code: string): string {
  const places = new Map<string, string>();
  const rest = code.replace(IMPORT, (_line, names: string, from: string) => {
    for (const name of names.split(', ')) places.set(name, `require(${JSON.stringify(from)})`);
    return '';
  });
  const place = (name: string) => `${places.get(name) ?? 'exports'}.${name}`;
  const late = rest
    .replace(DESCRIPTION, (_line, ...found: string[]) => {
      const [name = '', make = '', first = '', more = ''] = found;
      const described = first.startsWith('"') ? first : place(first);
      const others = more.replace(/\bfile_\w+/g, place);
      return `late(${JSON.stringify(name)}, () => ${place(make)}(${described}${others}));`;
    })
    .replace(ENUM, 'exports.$<name> = {')
    .replace(OLDER_ENUM, 'var $<name> = (exports.$<name> = {});');
  const strange = /^(?:import|export)\b.*/m.exec(late);
  if (strange !== null) throw new Error(`generated code in an unknown form: ${strange[0]}`);
  return LATE + late;
}

const LATE = `function late(name, describe) {
  let description;
  Object.defineProperty(exports, name, {
    enumerable: true,
    get: () => (description ??= describe()),
  });
}
`;
