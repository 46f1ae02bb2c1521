import type { Mode, Problem } from '../model.ts';
import { builtInFiles } from '../sets/built-in.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { problemOf } from '../sets/problems.ts';
import { runPolicyJob } from '../worker/run-job.ts';
import { type DraftLayer, filesAt, readDraft } from './read-rules.ts';

export interface CheckOptions {
  readonly layer: DraftLayer;
  readonly mode: Mode;
  readonly tools: KnownTools;
}

export interface Checked {
  /** How many the files hold; 0 when they cannot be taken. */
  readonly rules: number;
  readonly problems: readonly Problem[];
}

/** Whether files could be taken beside the built-in rules. Puts nothing in force. */
export async function checkRules(
  paths: readonly string[],
  { layer, mode, tools }: CheckOptions,
): Promise<Checked> {
  const empty = paths.filter((path) => filesAt(path, '.cedar')?.length === 0);
  if (empty.length > 0) {
    return { rules: 0, problems: empty.map((name) => problemOf({ layer, name }, NO_FILES)) };
  }
  const draft = readDraft(paths, layer);
  const batch = { files: [...builtInFiles(mode), ...draft.files], options: { mode, tools } };
  const compiled = await runPolicyJob('compile', { init: undefined, batch });
  if (compiled.kind === 'refused' || draft.problems.length > 0) {
    const found = compiled.kind === 'refused' ? compiled.problems : [];
    return { rules: 0, problems: [...draft.problems, ...found] };
  }
  const rules = compiled.set.rules.filter((rule) => rule.layer === layer);
  return { rules: rules.length, problems: [] };
}

const NO_FILES = {
  reason: 'there is no `.cedar` file in it',
  help: 'name a file of rules, or a folder of them',
};
