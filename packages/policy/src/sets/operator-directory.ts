import { closeSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { removePrivateFile, replacePrivateFile, syncPath, systemCode } from '@palyra/private-files';
import type { PolicyFile } from '../model.ts';
import { invalid } from './problems.ts';
import { MARKER, layerProblems, straysIn } from './read-layers.ts';
import { openDirectory } from './safe-read.ts';
import { isRuleName } from './strays.ts';

/**
 * Makes these the only files of the operator's layer. A marker lies there meanwhile: whoever finds
 * it after a crash knows that the files are half old and half new, and takes none of them.
 * Contract: throws POLICY_INVALID for files that could not be read again, or beside something for which they
 * would be refused, HOME_UNSAFE for a directory that others can write to or the disk refuses; the marker stays
 * if anything was written.
 */
export function replaceOperatorFiles(directory: string, files: readonly PolicyFile[]): void {
  const problems = [...layerProblems(files), ...straysIn('operator', directory)];
  if (problems.length > 0) throw invalid(problems);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    checkDirectory(directory);
    writeFiles(directory, files);
  } catch (error) {
    if (error instanceof PalyraError) throw error;
    throw new PalyraError(
      'HOME_UNSAFE',
      `the policies of the operator cannot be written (${systemCode(error) ?? 'unknown reason'})`,
      { cause: error, help: 'make room or mend the rights, then run `palyra policy apply` again' },
    );
  }
}

function checkDirectory(directory: string): void {
  const opened = openDirectory(directory, 'operator');
  switch (opened.kind) {
    case 'opened':
      closeSync(opened.handle);
      return;
    case 'missing':
      throw new PalyraError('HOME_UNSAFE', 'the directory for policies went away');
    case 'refused':
      throw new PalyraError(
        'HOME_UNSAFE',
        `the directory for policies cannot be used: ${opened.complaint.reason}`,
        { help: opened.complaint.help },
      );
  }
}

function writeFiles(directory: string, files: readonly PolicyFile[]): void {
  // The name of a new directory is in the one above it.
  syncPath(dirname(directory));
  replacePrivateFile(join(directory, MARKER), 'the files here are being exchanged\n');
  for (const { name, text } of files) replacePrivateFile(join(directory, name), text);
  const kept = new Set([MARKER, ...files.map(({ name }) => name)]);
  const obsolete = readdirSync(directory).filter((name) => isRuleName(name) && !kept.has(name));
  for (const name of obsolete) removePrivateFile(join(directory, name));
  removePrivateFile(join(directory, MARKER));
}
