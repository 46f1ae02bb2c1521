import { quietLog } from '@palyra/testkit';
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
