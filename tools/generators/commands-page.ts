import { type Help, type HelpOption, helpFor, helpPaths } from '../../apps/palyra-cli/src/help.ts';
import { generatedFrom, table } from './generator.ts';

export function commandsPage(): string {
  const helps = helpPaths().map((path) => helpFor(path));
  return `# Commands of \`palyra\`

${generatedFrom('apps/palyra-cli/src/catalogue.ts')}

\`palyra COMMAND --help\` shows the same in a terminal. How each command can end is in
[exit codes](exit-codes.md).

## For scripts

With \`--json\` every line of standard output is one object with \`"format":"palyra.cli.v1"\` and a
\`kind\`. A later version may add fields; a change of those that are there gets another format.

\`--help --json\` answers with the kind \`help\`, in one shape for the program, its groups and its
commands. Every field is always there:

${table(['field', 'what it is'], SHAPE)}

${helps
  .filter((help) => help !== undefined)
  .map(section)
  .join('\n\n')}
`;
}

const SHAPE: readonly (readonly [field: string, meaning: string])[] = [
  ['`name`', 'the words that it is called by: `palyra journal tail`'],
  ['`summary`', 'what it does, in a few words'],
  ['`usage`', 'how its command line is built'],
  ['`arguments`', 'each with `name`, `summary`, `need`, `values`'],
  ['`arguments[].need`', '`required`, `optional` or `any-number`'],
  ['`arguments[].values`', 'the only words that it takes; empty where it takes any'],
  ['`options`', 'each with `name`, `short`, `summary`, `value`, `default`, `isRepeatable`'],
  ['`options[].name`, `short`', '`--last` and `-n`; `short` is `null` where there is none'],
  ['`options[].value`', 'what stands for its value; `null` where it takes none'],
  ['`options[].default`', 'what counts without it; `null` where there is nothing'],
  ['`examples`', 'each with `line` and `note`'],
  ['`subcommands`', 'each with `name` and `summary`; empty for a command'],
];

function section(help: Help): string {
  const parts = [
    `## ${help.name}`,
    `${help.summary.charAt(0).toUpperCase()}${help.summary.slice(1)}.`,
    fence([help.usage]),
    listOf(help.arguments.map(({ name, summary }) => `\`${name}\`: ${summary}`)),
    listOf(help.options.map((option) => `\`${wordsOf(option)}\`: ${meaningOf(option)}`)),
    fence(help.examples.map(({ line, note }) => `${line}   # ${note}`)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function wordsOf({ name, short, value }: HelpOption): string {
  return `${short === null ? '' : `${short}, `}${name}${value === null ? '' : ` <${value}>`}`;
}

function meaningOf({ summary, default: fallback }: HelpOption): string {
  return fallback === null ? summary : `${summary} (${fallback})`;
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function fence(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}
