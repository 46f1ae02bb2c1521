import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A minute or more each, and what would be the last in line with less. A name that is missing here
 * costs time, nothing else.
 */
export const LONGEST = [
  'tests/e2e/fresh-clone.test.ts',
  'packages/journal/soak/crash.stateful.test.ts',
  'apps/sandboxd/src/kill.stateful.test.ts',
  'tests/e2e/console/every-page.test.ts',
  'apps/palyra-cli/src/commands/sandbox/sandbox.stateful.test.ts',
  'apps/palyra-cli/src/commands/sandbox/proof.stateful.test.ts',
];

const PROJECTS = ['stateful', 'programs', 'unit'];
/** Drive a browser, which keeps a core busy; the other tests of programs mostly wait. */
const BROWSERS = '/tests/e2e/console/';

export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(inOrder(files));
  }
}

type TestFile = Pick<TestSpecification, 'moduleId'> & {
  readonly project: { readonly name: string };
};

/**
 * What takes long begins early, so that no core waits for a last long file. Browsers begin between
 * other programs: several at once would only wait for one another.
 */
export function inOrder<File extends TestFile>(files: readonly File[]): File[] {
  const programs = files.filter(({ project }) => project.name === 'programs');
  const shares = new Map([
    ...sharesOf(programs.filter((file) => hasBrowser(file))),
    ...sharesOf(programs.filter((file) => !hasBrowser(file))),
  ]);
  const shareOf = (file: File) => shares.get(file) ?? 0;
  return files.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || shareOf(one) - shareOf(other),
  );
}

function hasBrowser({ moduleId }: TestFile): boolean {
  return moduleId.includes(BROWSERS);
}

/** Which part of all of them comes before each. */
function sharesOf<File>(files: readonly File[]): readonly (readonly [File, number])[] {
  return files.map((file, at) => [file, at / files.length]);
}

/**
 * One project after the other, since a worker stays only for files of its own. Unit tests come last,
 * with fewer workers: they wait for nobody.
 */
function placeOf({ moduleId, project }: TestFile): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place === -1 ? LONGEST.length + PROJECTS.indexOf(project.name) : place;
}
