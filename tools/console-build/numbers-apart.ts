import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const GENERATED = /\/protocol\/src\/gen\/.*_pb\.ts$/;
const NUMBERS = '?numbers';
/** As the generator writes an enum: a literal of names and numbers. */
const ENUM = /^export const (\w+) = (\{\n[^{}]*\n\}) as const;$/gm;

/**
 * Puts the enums of a generated file into a module of their own. They are all that the first frame
 * needs of the protocol, and would bring the descriptions along, which take long to be read.
 */
export function numbersApart(): Plugin {
  return {
    name: 'numbers-apart',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith(NUMBERS) ? { id, moduleSideEffects: false } : undefined),
    async load(id) {
      if (!id.endsWith(NUMBERS)) return undefined;
      const source = await readFile(id.slice(0, -NUMBERS.length), 'utf8');
      return enumsIn(source)
        .map(({ name, literal }) => `export const ${name} = ${literal};\n`)
        .join('');
    },
    transform(source, id) {
      const enums = GENERATED.test(id) ? enumsIn(source) : [];
      if (enums.length === 0) return undefined;
      const names = enums.map(({ name }) => name).join(', ');
      const rest = source.replaceAll(ENUM, '');
      return `export { ${names} } from ${JSON.stringify(`${id}${NUMBERS}`)};\n${rest}`;
    },
  };
}

export function enumsIn(source: string) {
  return [...source.matchAll(ENUM)].map(([, name = '', literal = '']) => ({ name, literal }));
}
