import { changeFile } from './config-file.ts';
import { type Edit, setValue } from './edit.ts';
import { type AllSections, type ConfigRequest, findProblems } from './load-config.ts';
import { type ConfigProblem, refuseAny } from './problem.ts';

/**
 * Changes keys of the operator's own file, which is made when it is missing.
 * Contract: all of them or none, and none when the configuration would be refused afterwards. One
 * that is refused already can be mended key by key: a change is made that puts something right, or
 * that leaves no other faults than the file itself has now.
 */
export function changeConfig<S extends AllSections>(
  request: ConfigRequest<S>,
  ...edits: readonly Edit[]
): void {
  const { sections, sources } = request;
  changeFile(sources.places.configFile, (text) => {
    const draft = edits.reduce((before, edit) => setValue(sections, before, edit), text);
    const before = findProblems(request);
    const after = findProblems({ ...request, sources: { ...sources, draft } });
    refuseAny(reasonsAgainst(before, after));
    return draft;
  });
}

/** Pure. Contract: empty when the change may be made. */
function reasonsAgainst(
  before: readonly ConfigProblem[],
  after: readonly ConfigProblem[],
): readonly ConfigProblem[] {
  const added = after.filter((problem) => !before.some((known) => isSame(known, problem)));
  if (added.length > 0) return added;
  if (after.length < before.length || after.every(({ origin }) => origin.kind === 'user'))
    return [];
  return after;
}

/** Not by its line, which moves when another is put above it. */
function isSame(one: ConfigProblem, other: ConfigProblem): boolean {
  return one.code === other.code && one.key === other.key && placeOf(one) === placeOf(other);
}

function placeOf({ origin }: ConfigProblem): string {
  return `${origin.kind} ${'file' in origin ? origin.file : ''}${'name' in origin ? origin.name : ''}`;
}
