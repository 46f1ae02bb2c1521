import { writeSync } from 'node:fs';
import { type CommandExit, EXITS, type Exit, codeOf } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { cliVersion } from './version.ts';
import { type WriteEnds, type WriteError, sayAtOnce } from './write-ends.ts';

const NODE_MAJOR = '26';

const ENDS: WriteEnds = {
  // A reader that has seen enough (`| head`) is a good end, not a failure.
  onReaderGone: () => process.exit(EXITS.ok.code),
  onWriteFailed: (error) => {
    sayFailed(error);
    process.exit(EXITS.failure.code);
  },
};

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  // Asked for by scripts and prompts, again and again: it pays to load nothing for it.
  if (isRightNode() && words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    return sayAtOnce(`${cliVersion}\n`, ENDS);
  }
  const { createTerminal } = await import('./terminal.ts');
  const environment = { ...process.env };
  const terminal = createTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    environment,
    ...ENDS,
  });
  const exit = await act(words, terminal, environment).catch((reason: unknown) =>
    explain(reason, words, terminal),
  );
  await terminal.flush();
  process.exit(codeOf(exit));
}

async function act(
  words: readonly string[],
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Exit | CommandExit> {
  if (!isRightNode()) await refuseRuntime();
  const { execute } = await import('./program.ts');
  return await execute(words, { terminal, environment, entryFile: process.argv[1] ?? '' });
}

async function explain(
  reason: unknown,
  words: readonly string[],
  terminal: Terminal,
): Promise<Exit> {
  const { showFailure } = await import('./failure.ts');
  const options = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined);
  return showFailure(reason, terminal, options.includes('--json') ? 'json' : 'text');
}

function sayFailed({ message }: WriteError): void {
  try {
    writeSync(2, `error UNEXPECTED: the output cannot be written: ${message}\n`);
  } catch {
    // Standard error has the same trouble; the exit code still tells.
  }
}

function isRightNode(): boolean {
  return process.versions.node.split('.', 1)[0] === NODE_MAJOR;
}

async function refuseRuntime(): Promise<never> {
  const { PalyraError } = await import('@palyra/kernel');
  throw new PalyraError(
    'WRONG_RUNTIME',
    `palyra needs Node ${NODE_MAJOR} and was started with ${process.versions.node}`,
    { help: 'start it with `./palyra`, which brings the right one' },
  );
}

void main();
