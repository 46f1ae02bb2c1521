import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { implicitFiles } from './implicit-files.ts';

/** What a shell or another interpreter is told to run as a text: `sh -c`, `bash -lc`, `node -e`. */
const SCRIPT_FLAG = /^(?:-[a-z]*[ce]|--eval|--command)$/i;
/** Between the words of such a text, roughly; what is no name of a file falls out later. */
const BETWEEN_WORDS = /[\s"'`;&|<>()=,]+/;
/** Between the names in a variable. */
const BETWEEN_NAMES = /[\s"'`;&|<>()=,:]+/;
/** Right behind the letter of an option, or a list of arguments: `make -fbuild.mk`, `gcc @list`. */
const BEHIND_OPTION = /^(?:-[A-Za-z]@?|@)(?<name>.+)$/;

/**
 * Whatever in a command may be the name of a file, each once: program, arguments, what follows a `=`
 * or an option in one, the words of a script, of its input or of a variable, and what known programs read
 * without being told.
 */
export function namedWords(args: JsonObject | undefined): readonly string[] {
  const { command, args: rest, stdin, env } = args ?? {};
  const words = [command, ...(Array.isArray(rest) ? rest : [])].filter(isWord);
  const parts = words.flatMap((word, place) => partsOf(word, words[place - 1] ?? ''));
  // A shell runs its input, and others take names from there.
  const input = isWord(stdin) ? stdin.split(BETWEEN_WORDS) : [];
  const all = [...words, ...parts, ...input];
  const named = [...all, ...valuesOf(env), ...implicitFiles(all)];
  return [...new Set(named)].filter((word) => word !== '');
}

/** Which of them a program takes for names of files is its own affair. */
function valuesOf(env: unknown): readonly string[] {
  const variables: readonly unknown[] = Array.isArray(env) ? env : [];
  const values = variables.flatMap((variable) =>
    isJsonObject(variable) && isWord(variable['value']) ? [variable['value']] : [],
  );
  return values.flatMap((value) => [value, ...value.split(BETWEEN_NAMES)]);
}

function partsOf(word: string, before: string): readonly string[] {
  if (SCRIPT_FLAG.test(before)) return word.split(BETWEEN_WORDS);
  const name = BEHIND_OPTION.exec(word)?.groups?.['name'];
  const value = word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [];
  return name === undefined ? value : [name, ...value];
}

function isWord(word: unknown): word is string {
  return typeof word === 'string';
}
