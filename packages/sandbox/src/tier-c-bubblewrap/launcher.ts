import { PalyraError } from '@palyra/kernel';
import { REPORT } from '../starter/starter-elf.ts';

export interface Launch {
  /** Commands of the shell that lower its limits. */
  readonly limits: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The path of the program, inside. */
  readonly program: string;
  /** Its arguments, from its own name on. */
  readonly words: readonly string[];
}

/** Where the sandbox finds its streams: bwrap itself keeps none above 2 open. */
export const STREAMS = { stdin: 3, stdout: 4, stderr: 5 } as const;
/** Where the program is, inside, that starts the command and tells what became of it. */
export const STARTER = '/.start';

/**
 * The first line that the waiting shell gets: it takes its own streams and says that it is ready.
 * One byte each, before the four of the report: that it waits, and that it has begun with its command.
 */
export const READY = 'R';
export const BEGUN = 'B';
export const READY_LINE = `exec 1>&${STREAMS.stdout} 2>&${STREAMS.stderr} ${STREAMS.stdout}>&- ${STREAMS.stderr}>&-; printf ${READY} >&${REPORT}\n`;

/**
 * The one line that follows: limits, folder, environment, and the command in the shell's place.
 * INVARIANT: every word from outside stands in single quotes, in which nothing has a meaning.
 */
export function launcherScript({ limits, directory, environment, ...command }: Launch): string {
  const exports = Object.entries(environment)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `export ${name}=${quoted(value)}`);
  const words = [STARTER, command.program, ...command.words].map(quoted).join(' ');
  const start = `exec ${words} <&${STREAMS.stdin} ${STREAMS.stdin}<&-`;
  const begin = `printf ${BEGUN} >&${REPORT}`;
  const steps = [begin, ...limits, `cd -- ${quoted(directory)}`, ...exports, start];
  return `{ ${steps.join(' && ')}; } || exit 126\n`;
}

function quoted(text: string): string {
  if (text.includes('\0')) throw new PalyraError('INVALID_INPUT', 'a word holds a NUL');
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
