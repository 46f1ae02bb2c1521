import { quote } from '@palyra/kernel';
import type { ProcessFacts } from '@palyra/protocol';
import { pathProblem, spellPath } from './paths.ts';
import { programNames } from './program-names.ts';
import { sortedSet } from './words.ts';

export const MAX_ARGUMENTS = 1024;

type Command = Pick<ProcessFacts, 'executable' | 'arguments' | 'directory'> &
  Partial<Pick<ProcessFacts, 'environment'>>;

export function processFacts(command: Command) {
  const { executable, arguments: args, directory, environment = [] } = command;
  return {
    executable,
    name: executable.slice(executable.lastIndexOf('/') + 1),
    first: args[0] ?? '',
    arguments: sortedSet(args),
    names: programNames([executable, ...args]),
    count: args.length,
    commandLine: commandLine([executable, ...args]),
    directory,
    ...(environment.length === 0 ? {} : { environment: sortedSet(environment) }),
  };
}

export function processProblem(command: Command): string | undefined {
  const { executable, arguments: args, directory } = command;
  if (args.length > MAX_ARGUMENTS) return `the command has more than ${MAX_ARGUMENTS} arguments`;
  if (spellExecutable(executable) !== executable) {
    return `the program ${quote(executable)} is not in its one spelling`;
  }
  return pathProblem([directory]);
}

/** A name to be looked up, an absolute path, or `./…` of the workspace: `./git` and `git` are two. */
export function spellExecutable(text: string): string | undefined {
  if (!text.includes('/')) return text === '' ? undefined : text;
  const path = spellPath(text);
  if (path === undefined || path === '.' || path === '/') return undefined;
  return path.startsWith('/') ? path : `./${path}`;
}

/**
 * One line for a rule to match with `like`. A word stands as it is, or, when it is empty or holds
 * white space, a quote or anything unseen, in double quotes: in those `\` is `\\`, `"` is `\"`, and
 * what cannot be seen is `\u{…}` with its code point.
 * INVARIANT: no two lists of words share a line. A word as it is has no space and no quote, and a
 * quoted one ends at its first `"` without a `\` before it, so the line can be read back.
 */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (needsQuotes(word) ? quoted(word) : word)).join(' ');
}

/** The words of a line that `commandLine` wrote. Contract: never throws; of another line, some words. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(IN_LINE)].map(([word, inQuotes]) =>
    inQuotes === undefined ? word : inQuotes.replaceAll(IN_QUOTES, unescaped),
  );
}

const IN_LINE = /"((?:[^"\\]|\\.)*)"|[^ ]+/gs;
const IN_QUOTES = /\\(?:u\{([0-9a-f]{1,6})\}|(.))/gs;

function unescaped(_escape: string, code: string | undefined, character: string): string {
  if (code === undefined) return character;
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

function needsQuotes(word: string): boolean {
  return !PLAIN.test(word) && NEEDS_QUOTES.test(word);
}

/** Most words: what can be seen of ASCII, without the quotes. Quick to tell. */
const PLAIN = /^[!#-&(-~]+$/;

const NEEDS_QUOTES = /^$|[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800"']/u;
const ESCAPED = /["\\]|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function quoted(word: string): string {
  return `"${word.replaceAll(ESCAPED, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
