import { renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';
import type { Problem } from '../model.ts';
import { runPolicyJob } from '../worker/run-job.ts';
import { readDraft } from './read-rules.ts';

export interface FormattedFile {
  readonly file: string;
  readonly changed: boolean;
}

export interface FormatReport {
  readonly files: readonly FormattedFile[];
  readonly problems: readonly Problem[];
}

/** Brings files into their usual form; with `check` it only says which would change. */
export async function formatRules(
  paths: readonly string[],
  how: 'check' | 'write',
): Promise<FormatReport> {
  const draft = readDraft(paths, 'operator');
  const files: FormattedFile[] = [];
  const problems: Problem[] = [...draft.problems];
  for (const file of draft.files) {
    const formatted = await runPolicyJob('format', { init: undefined, batch: file });
    if (formatted.kind === 'refused') {
      problems.push(...formatted.problems);
      continue;
    }
    const changed = formatted.text !== file.text;
    if (changed && how === 'write') replace(file.name, formatted.text);
    files.push({ file: file.name, changed });
  }
  return { files, problems };
}

/** Whole or not at all: a crash leaves the old text. */
function replace(path: string, text: string): void {
  const beside = `${path}.fmt`;
  try {
    writeFileSync(beside, text, { mode: statSync(path).mode & 0o777, flag: 'wx' });
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
  try {
    renameSync(beside, path);
  } catch (cause) {
    unlinkSync(beside);
    throw cannotWrite(path, cause);
  }
}

function cannotWrite(path: string, cause: unknown): PalyraError {
  const why = systemCode(cause) ?? 'unknown reason';
  return new PalyraError('INVALID_INPUT', `cannot write ${quote(path)} (${why})`, {
    cause,
    help: 'make the file and its folder writable, or use `--check`',
  });
}
