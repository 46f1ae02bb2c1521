import { quote } from '@palyra/kernel';
import { readFilePath } from './path.ts';
import { type Reading, read, unreadable } from './reading.ts';

/**
 * A program in its one spelling: a bare name, which is looked up among the installed programs; an
 * absolute path; or `./…` for one of the workspace. The `./` always stays: `./git` and `git` are
 * two programs.
 */
export function readCommand(text: string): Reading<string> {
  if (/\s/u.test(text)) {
    return unreadable(
      'holds a space: it names one program, and no shell reads it',
      'put the program into `command` and each of its arguments into `args`',
    );
  }
  return text.includes('/') ? readProgramPath(text) : readProgramName(text);
}

/** Letters that no shell and no system gives a meaning of their own. */
const PROGRAM_NAME = /^\w[\w.+-]{0,127}$/;

function readProgramName(text: string): Reading<string> {
  if (PROGRAM_NAME.test(text) && !text.endsWith('.')) return read(text);
  return unreadable(
    `is no name of a program: ${quote(text)}`,
    'a name such as `git`, or a path such as `./scripts/build`; shell syntax has no meaning here',
  );
}

function readProgramPath(text: string): Reading<string> {
  const path = readFilePath(text);
  if (path.kind === 'unreadable' || path.value.startsWith('/')) return path;
  return read(`./${path.value}`);
}
