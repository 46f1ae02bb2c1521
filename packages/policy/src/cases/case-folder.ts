import { join } from 'node:path';
import type { Problem } from '../model.ts';
import { filesAt, textAt } from '../offline/read-rules.ts';
import { CASE_FILE_SUFFIX } from './case-file.ts';
import { type CaseText, caseProblem } from './try-cases.ts';

export interface CaseFolder {
  readonly cases: readonly CaseText[];
  readonly problems: readonly Problem[];
}

/** The files of cases in a folder of rules and in its `tests`. Contract: none where there is no folder. */
export function readCaseFolder(folder: string): CaseFolder {
  const found = [folder, join(folder, 'tests')].flatMap(
    (path) => filesAt(path, CASE_FILE_SUFFIX) ?? [],
  );
  const cases: CaseText[] = [];
  const problems: Problem[] = [];
  for (const name of found) {
    const read = textAt(name);
    if (read.kind === 'text') cases.push({ name, text: read.text });
    else problems.push(caseProblem(name, 1, read.complaint.reason));
  }
  return { cases, problems };
}
