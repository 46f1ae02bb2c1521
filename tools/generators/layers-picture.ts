import { type Layers, layersIn } from '../guards/layers-file.ts';
import type { Tree } from '../tree.ts';

const START = '<!-- layers: made from layers.json by `npm run generate` -->';
const END = '<!-- /layers -->';
export const PICTURE_PAGE = 'ARCHITECTURE.md';

/** The page with the part between the two marks replaced; everything else stays as written. */
export function withLayersPicture(tree: Tree): string {
  const text = tree.read(PICTURE_PAGE);
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start < 0 || end < start) {
    throw new Error(
      `\`${PICTURE_PAGE}\` has no place for the layers: put \`${START}\` and \`${END}\``,
    );
  }
  const picture = `\n\n\`\`\`\n${layersPicture(layersIn(tree))}\n\`\`\`\n\n`;
  return text.slice(0, start + START.length) + picture + text.slice(end);
}

function layersPicture({ layers, workspaces }: Layers): string {
  const width = Math.max(...layers.map(({ name }) => name.length));
  return layers
    .map(({ name, says, imports }) => {
      const members = Object.keys(workspaces).filter((folder) => workspaces[folder] === name);
      const below = imports.length === 0 ? 'nothing' : imports.join(', ');
      const indent = ' '.repeat(width + 2);
      return [
        `${name.padEnd(width)}  ${says}`,
        `${indent}${members.map((folder) => folder.split('/').at(-1)).join(' ')}`,
        `${indent}imports: ${below}`,
      ].join('\n');
    })
    .join('\n');
}
