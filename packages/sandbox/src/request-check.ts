import { PalyraError, quote } from '@palyra/kernel';
import { checkLimits } from './limits.ts';
import type { SandboxRequest } from './model.ts';

/** As much as the kernel takes for one word, and somewhat less than it takes for all of them. */
const MAX_WORD_BYTES = 128 * 1024 - 1;
const MAX_WORDS_BYTES = 1024 * 1024;
const MAX_WORDS = 32_768;
const MAX_STDIN_BYTES = 64 * 1024 * 1024;
/** What starts a command is a shell, to which these are not text like any other. */
const SHELLS_OWN: ReadonlySet<string> = new Set(
  'OPTIND PPID UID EUID LINENO BASHOPTS SHELLOPTS BASH_VERSINFO'.split(' '),
);
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What can be said about a request without looking at the machine. Contract: throws. */
export function checkRequest(request: SandboxRequest): void {
  checkLimits(request.limits);
  if (request.executable === '') throw refused('no program is named');
  for (const name of Object.keys(request.environment)) {
    if (!VARIABLE.test(name)) throw refused(`${quote(name)} is not a name of a variable`);
    if (SHELLS_OWN.has(name)) throw refused(`${quote(name)} is a variable of the shell itself`);
  }
  if (request.stdin.length > MAX_STDIN_BYTES) {
    throw refused(`the input is longer than ${MAX_STDIN_BYTES} bytes`);
  }
  const variables = Object.entries(request.environment).map(([name, value]) => `${name}=${value}`);
  checkWords([request.executable, ...request.arguments, request.directory, ...variables]);
  checkDirectory(request.directory);
}

function checkWords(words: readonly string[]): void {
  if (words.length > MAX_WORDS) throw refused(`there are more than ${MAX_WORDS} words`);
  let room = MAX_WORDS_BYTES;
  for (const word of words) {
    if (word.includes('\0')) throw refused('a word holds a NUL');
    const bytes = Buffer.byteLength(word);
    if (bytes > MAX_WORD_BYTES) throw refused(`a word is longer than ${MAX_WORD_BYTES} bytes`);
    room -= bytes + 1;
  }
  if (room < 0) throw refused(`the words are longer than ${MAX_WORDS_BYTES} bytes together`);
}

function checkDirectory(directory: string): void {
  const isInside =
    directory === '.' || directory.split('/').every((name) => !['', '.', '..'].includes(name));
  if (isInside) return;
  throw new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the folder ${quote(directory)} is not one of the workspace`,
    { help: 'name it relative to the workspace, without `..`' },
  );
}

function refused(why: string): PalyraError {
  return new PalyraError('INVALID_INPUT', why);
}
