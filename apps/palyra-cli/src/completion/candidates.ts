import { GATEWAY_OPTION } from '../catalogue.ts';
import type { CommandSpec, GroupSpec, OptionSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION } from '../help.ts';

export interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** What could come next. `files` hands over to the shell, which knows paths better than we do. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly files: 'offered' | 'none';
}

export interface Grammar {
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly GroupSpec[];
}

const NOTHING: Completion = { candidates: [], files: 'none' };
const FILES: Completion = { candidates: [], files: 'offered' };
const EVERYWHERE: readonly Candidate[] = [JSON_OPTION, HELP_OPTION].map(({ name, summary }) => ({
  word: name,
  summary,
}));

/** The last word is the one being typed; the words before it are settled. */
export function complete(words: readonly string[], grammar: Grammar): Completion {
  const typed = words.at(-1) ?? '';
  const settled = withoutGateway(words.slice(0, -1));
  if (settled === undefined) return NOTHING;
  const path = settled[0] === 'help' ? settled.slice(1) : settled;
  const command = grammar.commands.find((spec) => startsWith(path, spec.path));
  if (command === undefined) return narrow(nextWords(path, grammar, settled), typed);
  if (settled[0] === 'help') return NOTHING;
  return insideCommand(command, settled.slice(command.path.length), typed);
}

const GATEWAY = `--${GATEWAY_OPTION.name}`;

/** It may stand before the command. Contract: `undefined` when its name comes next. */
function withoutGateway(settled: readonly string[]): readonly string[] | undefined {
  const [first = ''] = settled;
  if (first.startsWith(`${GATEWAY}=`)) return settled.slice(1);
  if (first !== GATEWAY) return settled;
  return settled.length === 1 ? undefined : settled.slice(2);
}

function nextWords(
  path: readonly string[],
  { commands, groups }: Grammar,
  settled: readonly string[],
): Completion {
  const specs = [...groups, ...commands.filter((spec) => spec.isHidden !== true)];
  const next = specs.filter(
    (spec) => spec.path.length === path.length + 1 && startsWith(spec.path, path),
  );
  const candidates = next.map((spec) => ({ word: spec.path.at(-1) ?? '', summary: spec.summary }));
  if (settled.length > 0) return { candidates, files: 'none' };
  const top = [
    { word: 'help', summary: 'explain a command' },
    { word: GATEWAY, summary: GATEWAY_OPTION.summary },
    { word: '--version', summary: 'print the version' },
    { word: '--help', summary: 'explain palyra' },
  ];
  return { candidates: [...candidates, ...top], files: 'none' };
}

function insideCommand(
  command: CommandSpec,
  settled: readonly string[],
  typed: string,
): Completion {
  const waiting = takesValue(command.options, settled.at(-1));
  if (waiting !== undefined) return waiting.completes === 'files' ? FILES : NOTHING;
  if (typed.startsWith('-')) {
    const own = command.options.map(({ name, summary }) => ({ word: `--${name}`, summary }));
    return narrow({ candidates: [...own, ...EVERYWHERE], files: 'none' }, typed);
  }
  const argument = command.arguments[countArguments(command.options, settled)];
  if (argument?.completes === 'files') return FILES;
  const candidates = (argument?.values ?? []).map((word) => ({
    word,
    summary: argument?.summary ?? '',
  }));
  return narrow({ candidates, files: 'none' }, typed);
}

function takesValue(
  options: readonly OptionSpec[],
  word: string | undefined,
): { readonly completes: 'files' | undefined } | undefined {
  const option = options.find(
    ({ name, short }) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
  if (option === undefined || option.kind === 'flag') return undefined;
  return { completes: option.kind === 'text' ? option.completes : undefined };
}

function countArguments(options: readonly OptionSpec[], settled: readonly string[]): number {
  return settled.filter(
    (word, place) => !word.startsWith('-') && takesValue(options, settled[place - 1]) === undefined,
  ).length;
}

function narrow(completion: Completion, typed: string): Completion {
  const candidates = completion.candidates.filter(({ word }) => word.startsWith(typed));
  return { ...completion, candidates };
}

function startsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((word, place) => words[place] === word);
}
