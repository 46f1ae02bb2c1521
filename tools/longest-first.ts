import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Half a minute or more each. A name that is missing here costs time, nothing else. */
export const LONGEST = [
  'tests/e2e/fresh-clone.test.ts',
  'packages/journal/soak/crash.stateful.test.ts',
  'apps/sandboxd/src/kill.stateful.test.ts',
  'packages/policy/src/sets/workspace-layer.stateful.test.ts',
  'packages/sandbox/src/tier-c-bubblewrap/filesystem.stateful.test.ts',
  'apps/palyra-cli/src/commands/sandbox/sandbox.stateful.test.ts',
  'packages/policy/src/sets/sets.stateful.test.ts',
  'tests/e2e/every-call.test.ts',
];

/** What takes long begins early, so that no core waits for a last long file. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

/** Unit tests are many and short: they come last and fill the gaps. */
function placeOf({ moduleId, project }: TestSpecification): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  if (place !== -1) return place;
  return project.name === 'unit' ? LONGEST.length + 1 : LONGEST.length;
}
