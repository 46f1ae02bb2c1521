import { scan } from '../source/scan.ts';
import type { Finding, Tree } from '../tree.ts';

export const REQUIREMENTS_FILE = 'tests/requirements.ts';
const TEST = /\.test\.ts$/;
const END_TO_END = /^tests\/e2e\/.*\.test\.ts$/;
/** `area:promise` or longer, in lower case: the area groups the reference page. */
const ID = /^[a-z0-9-]+(?::[a-z0-9-]+)+$/;
const CALL = /\bverifies\s*\(([^)]*)\)/g;

export interface Citation {
  readonly id: string;
  readonly path: string;
}

/**
 * Every promise has a test that cites it, and every citation names a promise. What is tried end to
 * end is there for somebody, so each such file says which promise that is.
 */
export function checkRequirements(tree: Tree, ids: readonly string[]): readonly Finding[] {
  const citations = citationsIn(tree);
  const cited = new Set(citations.map(({ id }) => id));
  const citing = new Set(citations.map(({ path }) => path));
  return [
    ...ids
      .filter((id) => !ID.test(id))
      .map((id) => ({
        path: REQUIREMENTS_FILE,
        says: `\`${id}\` is not of the form area:promise`,
      })),
    ...ids
      .filter((id) => !cited.has(id))
      .map((id) => ({ path: REQUIREMENTS_FILE, says: `no test verifies \`${id}\`` })),
    ...citations
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, path }) => ({ path, says: `verifies \`${id}\`, which nobody promised` })),
    ...tree.paths
      .filter((path) => END_TO_END.test(path) && !citing.has(path))
      .map((path) => ({ path, says: 'an end-to-end test that cites no promise with `verifies`' })),
  ];
}

/** Citations by what stands in the source; an id must be a literal so that it can be searched for. */
export function citationsIn(tree: Tree): readonly Citation[] {
  return tree.paths
    .filter((path) => TEST.test(path))
    .flatMap((path) => {
      const { code, strings } = scan(tree.read(path));
      return Array.from(code.matchAll(CALL)).flatMap((call) => {
        const end = call.index + call[0].length;
        return strings
          .filter(({ start }) => start > call.index && start < end)
          .map(({ text }) => ({ id: text, path }));
      });
    });
}
