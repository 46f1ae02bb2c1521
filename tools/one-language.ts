import type { Plugin } from 'esbuild';

/** zod brings along its messages in some fifty languages; ours are written by ourselves. */
export const oneLanguage: Plugin = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};
