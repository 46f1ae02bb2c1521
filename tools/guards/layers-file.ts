import { z } from 'zod';
import type { Tree } from '../tree.ts';

const layersShape = z.strictObject({
  /** From the top of the picture to its bottom. */
  layers: z.array(
    z.strictObject({
      name: z.string(),
      says: z.string(),
      imports: z.array(z.string()),
      /** Where this layer may touch boxes; absent means anywhere that `imports` allows. */
      boxesOnlyIn: z.array(z.string()).optional(),
    }),
  ),
  workspaces: z.record(z.string(), z.string()),
});
export type Layers = z.infer<typeof layersShape>;
export type Layer = Layers['layers'][number];

export const LAYERS_FILE = 'layers.json';

export function layersIn(tree: Tree): Layers {
  return layersShape.parse(JSON.parse(tree.read(LAYERS_FILE)));
}

export function layerOf(layers: Layers, folder: string): Layer | undefined {
  return layers.layers.find(({ name }) => name === layers.workspaces[folder]);
}
