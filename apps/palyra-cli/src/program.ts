import { Argument, Command, CommanderError, Option } from 'commander';
import { COMMANDS, GATEWAY_OPTION, GROUPS, PROGRAM } from './catalogue.ts';
import type {
  ArgumentSpec,
  CommandSpec,
  Count,
  Invocation,
  OptionSpec,
  Shell,
  Surroundings,
} from './command.ts';
import type { CommandExit, Exit } from './exit-codes.ts';
import { HELP_OPTION, JSON_OPTION, placeholder } from './help.ts';
import { answerHelpJson } from './help-json.ts';
import { UsageError } from './usage-error.ts';
import { cliVersion } from './version.ts';

/** Parses the words after `palyra` and runs what they say. */
export async function execute(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<Exit | CommandExit> {
  await using ending = new AsyncDisposableStack();
  const shell: Shell = { ...surroundings, ending };
  const spoken = asHelpOption(asVersionCommand(words));
  const left = answerHelpJson(spoken, shell.terminal);
  if (left === undefined) return 'ok';
  let exit: Exit | CommandExit = 'ok';
  const program = buildProgram(shell, (ended) => {
    exit = ended;
  });
  try {
    await program.parseAsync([...left], { from: 'user' });
  } catch (reason) {
    if (!(reason instanceof CommanderError)) throw reason;
    if (reason.exitCode === 0) return 'ok';
    // A group without a command: commander has shown its help already.
    if (reason.code === 'commander.help') return 'usage';
    throw toUsageError(reason, words);
  }
  return exit;
}

type OnExit = (exit: Exit | CommandExit) => void;

function buildProgram(shell: Shell, onExit: OnExit): Command {
  const program = plainCommand('palyra', shell)
    .description(sentence(PROGRAM.summary))
    .version(cliVersion, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'explain a command')
    .addOption(toOption(GATEWAY_OPTION))
    .addHelpText('after', () => exampleLines(PROGRAM.examples, shell));
  for (const spec of COMMANDS) {
    groupFor(spec, program, shell).addCommand(toCommand(spec, shell, onExit), {
      hidden: spec.isHidden === true,
    });
  }
  return program;
}

/** Where a command belongs. A group stands in the help where its first command does. */
function groupFor(spec: CommandSpec, program: Command, shell: Shell): Command {
  let parent = program;
  for (const [place, name] of spec.path.slice(0, -1).entries()) {
    const existing = parent.commands.find((group) => group.name() === name);
    const path = spec.path.slice(0, place + 1).join(' ');
    parent = existing ?? addGroup(parent, { name, path, spec }, shell);
  }
  return parent;
}

function addGroup(
  parent: Command,
  {
    name,
    path,
    spec,
  }: { readonly name: string; readonly path: string; readonly spec: CommandSpec },
  shell: Shell,
): Command {
  const summary = GROUPS.find((group) => group.path.join(' ') === path)?.summary ?? '';
  const group = plainCommand(name, shell)
    .summary(summary)
    .description(sentence(summary))
    .helpCommand(false)
    .addHelpText('after', () => exampleLines(spec.examples, shell));
  parent.addCommand(group);
  return group;
}

function toCommand(spec: CommandSpec, shell: Shell, onExit: OnExit): Command {
  const command = plainCommand(spec.path.at(-1) ?? '', shell)
    .summary(spec.summary)
    .description(sentence(spec.summary))
    .addHelpText('after', () => exampleLines(spec.examples, shell));
  for (const argument of spec.arguments) command.addArgument(toArgument(argument));
  for (const option of spec.options) command.addOption(toOption(option));
  command.option(JSON_OPTION.name, JSON_OPTION.summary);
  return command.action(async () => {
    const invocation = toInvocation(spec, command, shell);
    const { run } = await spec.load();
    onExit(await run(invocation));
  });
}

function plainCommand(name: string, shell: Shell): Command {
  const { terminal } = shell;
  const title = (text: string) => terminal.paint('strong', text);
  return new Command(name)
    .exitOverride()
    .helpOption(`-h, ${HELP_OPTION.name}`, HELP_OPTION.summary)
    .configureHelp({
      styleTitle: title,
      // Options are in the command's own help; here they would only be noise.
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(humanReadable)].join(' '),
      styleCommandText: (text) => terminal.paint('accent', text),
      styleOptionTerm: (text) => terminal.paint('accent', text),
      styleSubcommandTerm: (text) => terminal.paint('accent', text),
      styleArgumentTerm: (text) => terminal.paint('accent', text),
    })
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // Errors are shown once, by whoever catches them.
      outputError: () => {},
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
      // Colour is decided in the terminal; commander must not decide again.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    });
}

function humanReadable(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function toArgument(spec: ArgumentSpec): Argument {
  const argument = new Argument(placeholder(spec), spec.summary);
  return spec.values === undefined ? argument : argument.choices(spec.values);
}

function toOption(spec: OptionSpec): Option {
  const names = `${spec.short === undefined ? '' : `-${spec.short}, `}--${spec.name}`;
  switch (spec.kind) {
    case 'flag':
      return new Option(names, spec.summary);
    case 'text':
      return new Option(`${names} <${spec.value}>`, spec.summary);
    case 'texts':
      return new Option(`${names} <${spec.value}>`, spec.summary).argParser(collect);
    case 'count':
      return new Option(`${names} <${spec.value}>`, `${spec.summary} (${spec.fallback})`);
  }
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function toInvocation(spec: CommandSpec, command: Command, shell: Shell): Invocation {
  const given: Record<string, unknown> = command.opts();
  const text = new Map<string, string>();
  const texts = new Map<string, readonly string[]>();
  const counts = new Map<string, Count>();
  const flags = new Set<string>();
  if (given['json'] === true) flags.add('json');
  for (const option of spec.options) {
    // To commander `--with-made` is `withMade`, and `--no-wait` is the absence of `wait`.
    const value = given[toOption(option).attributeName()];
    if (option.kind === 'flag') {
      if (value === !option.name.startsWith('no-')) flags.add(option.name);
    } else if (option.kind === 'count') {
      counts.set(option.name, toCount(option, value));
    } else if (option.kind === 'texts') {
      const values: readonly unknown[] = Array.isArray(value) ? value : [];
      texts.set(option.name, values.map(String));
    } else if (typeof value === 'string') {
      text.set(option.name, value);
    }
  }
  const gateway = gatewayFor(spec, command, shell);
  return { arguments: command.args, text, texts, counts, flags, shell: { ...shell, gateway } };
}

/** The option may stand before the command too; there a command that asks no gateway refuses it. */
function gatewayFor(spec: CommandSpec, command: Command, shell: Shell): string | undefined {
  const given: unknown = command.optsWithGlobals()[GATEWAY_OPTION.name];
  if (spec.asks === 'gateway') {
    const named = shell.environment['PALYRA_GATEWAY'] ?? '';
    return typeof given === 'string' ? given : named === '' ? undefined : named;
  }
  if (given === undefined) return undefined;
  throw new UsageError(
    `\`palyra ${spec.path.join(' ')}\` asks no gateway`,
    `leave \`--${GATEWAY_OPTION.name}\` out`,
  );
}

function toCount(option: OptionSpec & { kind: 'count' }, value: unknown): Count {
  if (typeof value !== 'string') return { value: option.fallback, from: 'fallback' };
  const number = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= option.most) return { value: number, from: 'command-line' };
  throw new UsageError(
    `\`--${option.name}\` does not take \`${value}\``,
    `give a whole number from 1 to ${option.most}`,
  );
}

/** For a script the option means the command: the same words, the same answer. */
function asVersionCommand(words: readonly string[]): readonly string[] {
  const isVersion = words.some((word) => word === '--version' || word === '-V');
  const isJson = words.length === 2 && words.includes('--json');
  return isVersion && isJson ? ['version', '--json'] : words;
}

/** `help runs list` means `runs list --help`; a command that does not exist stays an error. */
function asHelpOption(words: readonly string[]): string[] {
  if (words.length === 0) return ['--help'];
  if (words[0] !== 'help') return [...words];
  const path = words.slice(1).filter((word) => !word.startsWith('-'));
  const known = [...GROUPS, ...COMMANDS].some((spec) => spec.path.join(' ') === path.join(' '));
  const json = words.includes('--json') ? ['--json'] : [];
  return known || path.length === 0 ? [...path, '--help', ...json] : path;
}

/** Commander's wording in ours: no prefix, backticks, the suggestion as the way out. */
function toUsageError(reason: CommanderError, words: readonly string[]): UsageError {
  const [first = '', second = ''] = reason.message.split('\n');
  const message = first
    .replace(/^error: /, '')
    .replace('command-argument value', 'the value')
    .replaceAll("'", '`')
    .replace(/\.$/, '');
  const suggestion = second.replace(/^\(Did you mean (.*)\?\)$/, 'did you mean `$1`?');
  if (suggestion !== '') return new UsageError(message, suggestion);
  const known = [...COMMANDS, ...GROUPS].find(({ path }) =>
    path.every((word, place) => words[place] === word),
  );
  const command = ['palyra', ...(known?.path ?? []), '--help'].join(' ');
  return new UsageError(message, `\`${command}\` shows how`);
}

function exampleLines(examples: CommandSpec['examples'], shell: Shell): string {
  const { paint } = shell.terminal;
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(
    ({ line, note }) => `  ${line.padEnd(width)}  ${paint('quiet', note)}`,
  );
  return `\n${paint('strong', 'Examples:')}\n${lines.join('\n')}\n`;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
