import { COMMANDS, GATEWAY_OPTION } from './catalogue.ts';
import { helpFor } from './help.ts';
import type { Terminal } from './terminal.ts';

const HELP_WORDS = ['--help', '-h'];

/**
 * Answers a command line with both `--help` and `--json`. Contract: `undefined` when it did;
 * otherwise the words that are left to parse. A help that leads nowhere loses both options, because
 * it would be shown as text, and as a success.
 */
export function answerHelpJson(
  words: readonly string[],
  terminal: Terminal,
): readonly string[] | undefined {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const isAsked = options.includes('--json') && options.some((word) => HELP_WORDS.includes(word));
  if (!isAsked) return words;
  const path = options.filter(
    // The one option that may stand before a command takes a value.
    (word, place) => !word.startsWith('-') && options[place - 1] !== `--${GATEWAY_OPTION.name}`,
  );
  const command = COMMANDS.find((spec) => spec.path.every((word, place) => path[place] === word));
  const help = helpFor(command?.path ?? path);
  if (help === undefined) {
    return words.filter((word) => word !== '--json' && !HELP_WORDS.includes(word));
  }
  terminal.json('help', { ...help });
  return undefined;
}
