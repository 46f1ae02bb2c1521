import { foldName } from './fold-name.ts';
import { sortedSet } from './words.ts';

/**
 * What the words of a command might start: of each word the last part of a path, folded, without the
 * ending of a program. Words end where a shell, or code in quotes, would end them.
 * INVARIANT: of a name that came out of it, that name comes out again.
 */
export function programNames(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) =>
    WORD.test(text) ? [text] : text.normalize('NFKC').split(BETWEEN_WORDS),
  );
  return sortedSet(words.map(programName).filter((name) => name !== ''));
}

/** Most arguments: one word, and no path. */
const WORD = /^[\w.-]+$/;
const BETWEEN_WORDS = /[\s"'`;|&()$=<>{}[\],:@!#%^*?~+]+/u;
const PROGRAM_ENDING = /\.(?:bat|cjs|cmd|com|exe|js|mjs|ps1|sh|ts)$/;

function programName(word: string): string {
  const last = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  let name = foldName(last);
  // As often as there is one: `a.sh` is nothing that anybody finds here, whatever was started.
  for (let rest = withoutEnding(name); rest !== name; rest = withoutEnding(name)) name = rest;
  return name;
}

function withoutEnding(name: string): string {
  const rest = name.replace(PROGRAM_ENDING, '');
  return rest === name ? name : foldName(rest);
}
