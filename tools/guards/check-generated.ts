import { compareGenerated } from '../generators/compare.ts';
import type { Generator } from '../generators/generator.ts';
import { type Finding, treeAt } from '../tree.ts';

/** Nobody edited a generated file by hand or forgot to make it again. */
export async function checkGenerated(
  root: string,
  generators: readonly Generator[],
): Promise<readonly Finding[]> {
  const tree = treeAt(root);
  const findings = await Promise.all(
    generators.map(async (generator) => {
      try {
        return compareGenerated(tree, generator.owns, await generator.render(root)).map(
          ({ path, is }) => ({
            path,
            says: `is ${is}; run \`npm run generate\``,
          }),
        );
      } catch (reason) {
        return [{ path: generator.owns, says: `cannot be made: ${messageOf(reason)}` }];
      }
    }),
  );
  return findings.flat();
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
