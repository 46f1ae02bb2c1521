import type { Finding, Tree } from '../tree.ts';

export const MAX_LINES = 400;
const MEASURED = /\.(?:ts|tsx|cjs|css|proto|cedar|sql|sh)$/;

/** A file that one person can still hold in mind. The linter does the same for functions. */
export function checkSizes(tree: Tree): readonly Finding[] {
  return tree.paths
    .filter((path) => MEASURED.test(path) && !path.includes('/gen/'))
    .map((path) => ({ path, lines: countLines(tree.read(path)) }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => ({ path, says: `${lines} lines; the most is ${MAX_LINES}` }));
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
