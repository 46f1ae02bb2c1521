import { isAbsolute } from 'node:path';
import {
  type Environment,
  PalyraError,
  type Places,
  folderGone,
  placesFor,
  quote,
  redact,
  visibleText,
} from '@palyra/kernel';
import { type CommandLine, HELP, parseCommandLine } from './command-line.ts';
import { EXIT, type ExitCode, exitOf } from './exit-codes.ts';
import { answerJson, failureJson } from './offline/answer.ts';
import type { Answer } from './offline/commands.ts';
import type { Surroundings } from './sections.ts';
import { listenForStop } from './stop-signals.ts';
import { palyradVersion } from './version.ts';

/** Contract: never rejects; every way to end is an exit code, and is said before. */
export async function run(words: readonly string[], environment: Environment): Promise<ExitCode> {
  let command: CommandLine | undefined;
  try {
    command = parseCommandLine(words);
    return await perform(command, environment);
  } catch (reason) {
    const error = folderGone(reason) ?? PalyraError.from(reason);
    if (command?.kind === 'offline') await print(failureJson(error));
    else process.stderr.write(failureText(error));
    return exitOf(error.code);
  }
}

async function perform(command: CommandLine, environment: Environment): Promise<ExitCode> {
  switch (command.kind) {
    case 'help':
      await print(HELP);
      return EXIT.ok;
    case 'version':
      await print(`${palyradVersion}\n`);
      return EXIT.ok;
    case 'serve': {
      // Before anything is loaded: a stop that comes early ends as cleanly as one that comes late.
      const stop = listenForStop(command.until);
      const { serve } = await import('./serve.ts');
      return serve(surroundingsOf(environment), command.flags, { until: command.until, stop });
    }
    case 'offline': {
      const { exit, kind, fields } = await answerTo(command, surroundingsOf(environment));
      await print(answerJson(kind, fields));
      return exit;
    }
  }
}

async function answerTo(
  { words, flags }: CommandLine & { kind: 'offline' },
  surroundings: Surroundings,
): Promise<Answer> {
  if (words[0] === 'sandbox') {
    // Loaded anew for every sandbox, so without anything else.
    const { answerSandbox } = await import('./offline/sandbox.ts');
    return await answerSandbox(words.slice(1), surroundings, flags);
  }
  const { answer } = await import('./offline/commands.ts');
  return await answer(words, flags, surroundings);
}

/** What has no name is shown with its cause: there is no log yet that could hold it. */
function failureText(error: PalyraError): string {
  const cause = error.code === 'UNEXPECTED' ? `  cause: ${JSON.stringify(redact(error))}\n` : '';
  const message = visibleText(error.message, 'one-line');
  return `palyrad: ${error.code}: ${message}\n  try: ${visibleText(error.help, 'one-line')}\n${cause}`;
}

function surroundingsOf(environment: Environment): Surroundings {
  return { environment, places: findPlaces(environment), workspaceDir: process.cwd() };
}

function findPlaces(environment: Environment): Places {
  refuseRelativeHome(environment['PALYRA_HOME'] ?? '');
  const places = placesFor(environment);
  if (places !== undefined) return places;
  throw new PalyraError('CONFIG_INVALID', 'neither `PALYRA_HOME` nor `HOME` names a directory', {
    help: 'set `HOME`, or `PALYRA_HOME` to an absolute path',
  });
}

/** Left aside, as XDG wants it, it would lead to another home than the one that was asked for. */
function refuseRelativeHome(home: string): void {
  if (home === '' || isAbsolute(home)) return;
  throw new PalyraError(
    'CONFIG_INVALID',
    `\`PALYRA_HOME\` is not an absolute path: ${quote(home)}`,
    {
      help: 'set it to a path that begins with `/`, or unset it',
    },
  );
}

/** Waits for the pipe: the exit right after would cut a long answer short. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
