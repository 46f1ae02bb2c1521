import { readCaseFolder } from '../cases/case-folder.ts';
import { type Tested, type TrialOptions, tryCases } from '../cases/try-cases.ts';
import type { PolicyFile } from '../model.ts';
import { builtInFiles } from '../sets/built-in.ts';
import { readDraft } from './read-rules.ts';

export interface TestReport extends Tested {
  /** Where cases were looked for; without any there are no results, and nothing is proven. */
  readonly folder: string;
}

/** Runs the cases of a folder and of its `tests/` against its rules and the built-in ones. */
export async function testRules(folder: string, options: TrialOptions): Promise<TestReport> {
  const { cases, problems: unreadable } = readCaseFolder(folder);
  if (unreadable.length > 0) return { folder, results: [], problems: unreadable };
  const { files, problems } = readDraft([folder], 'operator');
  const isOurs = isShipped(files, builtInFiles(options.mode));
  if (cases.length > 0 && !isOurs && problems.length > 0) return { folder, results: [], problems };
  return { folder, ...(await tryCases({ rules: isOurs ? [] : files, cases }, options)) };
}

/** The folder that the rules of the gateway are made in: they are here already, word for word. */
function isShipped(files: readonly PolicyFile[], builtIn: readonly PolicyFile[]): boolean {
  const texts = new Set(files.map(({ text }) => text));
  const shared = builtIn.filter(({ text }) => texts.has(text));
  return texts.size === files.length && shared.length === files.length && files.length > 1;
}
