import type { JsonObject } from '@palyra/kernel';
import { implicitFiles } from './implicit-files.ts';

/** What a shell or another interpreter is told to run as a text: `sh -c`, `bash -lc`, `node -e`. */
const SCRIPT_FLAG = /^(?:-[a-z]*[ce]|--eval|--command)$/i;
/** Between the words of such a text, roughly; what is no name of a file falls out later. */
const BETWEEN_WORDS = /[\s"'`;&|<>()=,]+/;

/**
 * Whatever in a command may be the name of a file, each once: program, arguments, what follows a `=`
 * in one, the words of a script, and what known programs read without being told.
 */
export function namedWords(args: JsonObject | undefined): readonly string[] {
  const { command, args: rest } = args ?? {};
  const words = [command, ...(Array.isArray(rest) ? rest : [])].filter(isWord);
  const parts = words.flatMap((word, place) => partsOf(word, words[place - 1] ?? ''));
  const all = [...words, ...parts];
  return [...new Set([...all, ...implicitFiles(all)])].filter((word) => word !== '');
}

function partsOf(word: string, before: string): readonly string[] {
  if (SCRIPT_FLAG.test(before)) return word.split(BETWEEN_WORDS);
  return word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [];
}

function isWord(word: unknown): word is string {
  return typeof word === 'string';
}
