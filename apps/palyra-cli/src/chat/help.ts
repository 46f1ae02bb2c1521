import { padEnd } from '../render/text-width.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; Alt-Enter, or a \\ before it, begins a new line'],
  ['↑ ↓', 'earlier prompts of this session'],
  ['Tab', 'complete a command, answer a question, look at tool calls'],
  ['Esc', 'clear what is typed, close what is open'],
  ['Ctrl-C', 'cancel the run; twice when nothing runs: leave'],
];

/** What `/help` shows. */
export function helpLines(): readonly string[] {
  const commands = SLASH_COMMANDS.map(
    ({ name, argument, summary }) =>
      [`/${name}${argument === undefined ? '' : ` ${argument}`}`, summary] as const,
  );
  const rows = [...commands, ...KEYS];
  const column = Math.max(...rows.map(([term]) => term.length)) + 2;
  const line = ([term, says]: readonly [string, string]) => `${padEnd(term, column)}${says}`;
  return [...commands.map(line), '', ...KEYS.map(line)];
}
