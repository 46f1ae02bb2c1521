import { PalyraError, quote } from '@palyra/kernel';

/**
 * Words as one line, the way in which C programs of that system take it apart again. Contract: throws
 * INVALID_INPUT for batch files: what reads their words follows other rules, in which no quoting is safe.
 */
export function commandLine(program: string, words: readonly string[]): string {
  const name = program.replace(/[. ]+$/, '');
  if (/\.(?:bat|cmd)$/i.test(name)) {
    throw new PalyraError('INVALID_INPUT', `the program ${quote(program)} is a batch file`, {
      help: 'name the program that it starts',
    });
  }
  const line = [program, ...words].map(commandWord).join(' ');
  if (line.length <= MAX_LINE) return line;
  throw new PalyraError('INVALID_INPUT', `the command is longer than ${MAX_LINE} characters`);
}

const MAX_LINE = 32_767 - 1;

/** Backslashes mean themselves, except before a quote: there each must stand twice. */
export function commandWord(word: string): string {
  if (word.includes('\0')) throw new PalyraError('INVALID_INPUT', 'a word holds a NUL');
  const escaped = word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1');
  return `"${escaped}"`;
}
