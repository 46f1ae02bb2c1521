import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/** `@peculiar/asn1-schema` knows a sequence of this library by the name of its class. */
const KNOWN_BY_NAME = /\/node_modules\/asn1js\/.*\.js$/;

/** Where names are made short, those by which classes are told apart stay. */
export const keptNames: Plugin = {
  name: 'kept-names',
  setup(build) {
    build.onLoad({ filter: KNOWN_BY_NAME }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { keepNames: true });
      return { contents: code };
    });
  },
};
