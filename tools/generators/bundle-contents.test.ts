import { describe, expect, it } from 'vitest';
import { ROOT } from '../run.ts';
import { bundleContents } from './bundle-contents.ts';

describe('bundleContents', () => {
  it('names our packages, npm packages with their version, and parts of Node, once each', () => {
    const input = (imports: readonly string[]) => ({
      bytes: 1,
      imports: imports.map((path) => ({ path, kind: 'import-statement' as const, external: true })),
    });
    const inputs = {
      'packages/kernel/src/ids.ts': input(['node:fs']),
      'packages/kernel/src/index.ts': input([]),
      'apps/palyrad/src/main.ts': input(['fs']),
      'node_modules/zod/index.js': input(['crypto']),
      'node_modules/zod/v4/index.js': input([]),
    };
    expect(bundleContents([{ inputs, outputs: {} }], ROOT)).toBe(
      'apps/palyrad\npackages/kernel\nnpm:zod@4.6.7\nnode:crypto\nnode:fs\n',
    );
  });

  it('names a part of Node that our code asks for only when it needs it', () => {
    const inputs = { 'packages/sandbox/src/libc.ts': { bytes: 1, imports: [] } };
    expect(bundleContents([{ inputs, outputs: {} }], ROOT)).toBe('packages/sandbox\nnode:ffi\n');
  });
});
