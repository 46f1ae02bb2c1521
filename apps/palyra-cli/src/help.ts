import { COMMANDS, GATEWAY_OPTION, GROUPS, PROGRAM } from './catalogue.ts';
import type { ArgumentSpec, CommandSpec, Example, OptionSpec } from './command.ts';

/**
 * Everything that a help text tells, as data: what `--help --json` answers and what the reference
 * page is made from. Every field is always there.
 */
export interface Help {
  /** The words that it is called by: `palyra journal tail`. */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly arguments: readonly HelpArgument[];
  readonly options: readonly HelpOption[];
  readonly examples: readonly Example[];
  readonly subcommands: readonly Subcommand[];
}

export interface HelpArgument {
  readonly name: string;
  readonly summary: string;
  readonly need: ArgumentSpec['need'];
  /** The only words that it takes; empty where it takes any. */
  readonly values: readonly string[];
}

export interface HelpOption {
  /** With its dashes: `--last`. */
  readonly name: string;
  readonly short: string | null;
  readonly summary: string;
  /** What stands for its value in the usage; null for one that takes none. */
  readonly value: string | null;
  /** What counts without it; null where there is nothing. */
  readonly default: number | null;
  readonly isRepeatable: boolean;
}

export interface Subcommand {
  readonly name: string;
  readonly summary: string;
}

/** Contract: `undefined` for words that are no command; no words at all are the program itself. */
export function helpFor(path: readonly string[]): Help | undefined {
  const words = path.join(' ');
  if (words === '') return helpForProgram();
  const command = COMMANDS.find((spec) => spec.path.join(' ') === words);
  if (command !== undefined) return helpForCommand(command);
  return helpForGroup(words);
}

/** Every path that has a help, for those who want all of them. */
export function helpPaths(): readonly (readonly string[])[] {
  const shown = COMMANDS.filter(({ isHidden }) => isHidden !== true);
  return [[], ...[...GROUPS, ...shown].map(({ path }) => path)];
}

function helpForProgram(): Help {
  return {
    name: 'palyra',
    summary: PROGRAM.summary,
    usage: 'palyra [options] [command]',
    arguments: [],
    options: [
      flag('--version', '-V', 'print the version'),
      toHelpOption(GATEWAY_OPTION),
      HELP_OPTION,
    ],
    examples: PROGRAM.examples,
    subcommands: [...subcommandsOf([]), { name: 'palyra help', summary: 'explain a command' }],
  };
}

function helpForGroup(name: string): Help | undefined {
  const group = GROUPS.find(({ path }) => path.join(' ') === name);
  if (group === undefined) return undefined;
  const first = COMMANDS.find(({ path }) => isBelow(path, group.path));
  return {
    name: `palyra ${name}`,
    summary: group.summary,
    usage: `palyra ${name} [options] [command]`,
    arguments: [],
    options: [HELP_OPTION],
    examples: first?.examples ?? [],
    subcommands: subcommandsOf(group.path),
  };
}

function helpForCommand(spec: CommandSpec): Help {
  const name = ['palyra', ...spec.path].join(' ');
  return {
    name,
    summary: spec.summary,
    usage: [name, '[options]', ...spec.arguments.map(placeholder)].join(' '),
    arguments: spec.arguments.map(({ name: word, summary, need, values = [] }) => ({
      name: word,
      summary,
      need,
      values,
    })),
    options: [...spec.options.map(toHelpOption), JSON_OPTION, HELP_OPTION],
    examples: spec.examples,
    subcommands: [],
  };
}

/** As it stands in a usage line. */
export function placeholder({ name, need }: ArgumentSpec): string {
  return { required: `<${name}>`, optional: `[${name}]`, 'any-number': `[${name}...]` }[need];
}

function subcommandsOf(group: readonly string[]): Subcommand[] {
  const shown = COMMANDS.filter(({ isHidden }) => isHidden !== true);
  return [...GROUPS, ...shown]
    .filter(({ path }) => path.length === group.length + 1)
    .filter(({ path }) => isBelow(path, group))
    .map(({ path, summary }) => ({ name: ['palyra', ...path].join(' '), summary }));
}

function isBelow(path: readonly string[], group: readonly string[]): boolean {
  return group.every((word, place) => path[place] === word);
}

function toHelpOption(spec: OptionSpec): HelpOption {
  return {
    name: `--${spec.name}`,
    short: spec.short === undefined ? null : `-${spec.short}`,
    summary: spec.summary,
    value: spec.kind === 'flag' ? null : spec.value,
    default: spec.kind === 'count' ? spec.fallback : null,
    isRepeatable: spec.kind === 'texts',
  };
}

function flag(name: string, short: string | null, summary: string): HelpOption {
  return { name, short, summary, value: null, default: null, isRepeatable: false };
}

export const JSON_OPTION = flag('--json', null, 'answer in JSON, for scripts');
export const HELP_OPTION = flag('--help', '-h', 'explain this command');
