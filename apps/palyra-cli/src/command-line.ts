import { type CommandExit, type Exit, codeOf } from './exit-codes.ts';
import { PROCESS_ENDS } from './process-ends.ts';
import { NODE_MAJOR, isRightNode } from './right-node.ts';
import type { Terminal } from './terminal.ts';

/** Does what the command line says, and ends the process. A part of its own in the build: see `main.ts`. */
export async function obey(words: readonly string[]): Promise<void> {
  const { createTerminal } = await import('./terminal.ts');
  const environment = { ...process.env };
  const terminal = createTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    environment,
    ...PROCESS_ENDS,
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

async function refuseRuntime(): Promise<never> {
  const { PalyraError } = await import('@palyra/kernel');
  throw new PalyraError(
    'WRONG_RUNTIME',
    `palyra needs Node ${NODE_MAJOR} and was started with ${process.versions.node}`,
    { help: 'start it with `./palyra`, which brings the right one' },
  );
}
