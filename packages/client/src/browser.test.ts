import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the client', () => {
  it('bundles for a browser and takes nothing of Node along', async () => {
    const { metafile, errors } = await build({
      stdin: {
        contents: `export * from '@palyra/client';`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    const files = Object.keys(metafile.inputs);
    expect(errors).toEqual([]);
    expect(files.filter((path) => path.includes('connect-node'))).toEqual([]);
  });
});
