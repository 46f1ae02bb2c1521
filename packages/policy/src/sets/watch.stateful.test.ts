import { quietLog } from '@palyra/testkit';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LayerDirectories } from './directory.fixture.ts';
import type { ChangeSource } from './settling.ts';
import { LayerWatch } from './watch.ts';

describe('a change of files', () => {
  it.each([
    ['operator', 'people'],
    ['workspace', 'workspace'],
  ] as const)('in the layer %s is told as one of %s', async (layer, source) => {
    using layers = new LayerDirectories();
    layers.write(layer, 'a.cedar', '');
    const told = Promise.withResolvers<ChangeSource>();
    using watch = new LayerWatch(layers.dirs, { tell: told.resolve, log: quietLog() });
    watch.refresh();
    layers.write(layer, 'a.cedar', '// another');
    expect(await told.promise).toBe(source);
  });
});

/** What is told of the layers from now on; `changed` when the first of it is. */
function watching(layers: LayerDirectories) {
  const told: ChangeSource[] = [];
  const first = Promise.withResolvers<void>();
  const tell = (of: ChangeSource) => {
    told.push(of);
    first.resolve();
  };
  const watch = new LayerWatch(layers.dirs, { tell, log: quietLog() });
  watch.refresh();
  return { told, changed: first.promise, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}

describe('a folder of rules that was not there', () => {
  it.each([
    ['operator', 'people'],
    ['workspace', 'new-workspace'],
  ] as const)('is told once it has come, of the layer %s as %s', async (layer, source) => {
    using layers = new LayerDirectories();
    mkdirSync(dirname(dirname(layers.dirs[layer])), { recursive: true });
    using watched = watching(layers);
    layers.write(layer, 'a.cedar', '');
    await watched.changed;
    expect(watched.told[0]).toBe(source);
  });

  it('is not told while only the one above it has come, and is then', async () => {
    using layers = new LayerDirectories();
    const above = dirname(layers.dirs.workspace);
    mkdirSync(dirname(above), { recursive: true });
    using watched = watching(layers);
    mkdirSync(above);
    // Seen by the time that a change elsewhere is.
    layers.write('operator', 'a.cedar', '');
    await watched.changed;
    expect(watched.told).toEqual(['people']);
    mkdirSync(layers.dirs.workspace);
    await expect.poll(() => watched.told).toContain('new-workspace');
  });
});
