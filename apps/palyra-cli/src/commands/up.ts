import type { ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { type GetHealthResponse, GetHealthResponseSchema } from '@palyra/protocol';
import { type Invocation, type Shell, wantsJson } from '../command.ts';
import { daemonOf } from '../daemon.ts';
import { startDaemon } from '../daemon-program.ts';
import { EXITS, type Exit, exitOfCode } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { onInterrupt } from '../interrupts.ts';
import { gatewayFields, printMissing } from '../render/health.ts';
import { printFields } from '../render/layout.ts';
import { inline } from '../render/words.ts';
import { wireJson } from '../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const daemon = startDaemon(shell);
  const ended = endOf(daemon, shell);
  // However this program ends, the daemon that it started does not outlive it.
  process.once('exit', () => daemon.kill('SIGTERM'));
  using cleanup = new DisposableStack();
  cleanup.use(onInterrupt((times) => stop(shell, daemon, times)));

  // One that ends before it is ready has said on standard error why.
  const first = await Promise.race([readyOf(daemon), ended]);
  if (first === 'ready') announce(invocation, await daemonOf(shell).health.getHealth({}));
  const exit = await ended;
  if (wantsJson(invocation)) shell.terminal.json('ended', { exit: EXITS[exit].code });
  return exit;
}

function stop({ terminal }: Shell, daemon: ChildProcess, times: number): void {
  const isSecond = times > 1;
  terminal.note(isSecond ? '\nkilled' : '\nstopping; Ctrl-C again kills it');
  daemon.kill(isSecond ? 'SIGKILL' : 'SIGTERM');
}

/** Everything the daemon writes to its output is `ready …`, so the first bytes are the news. */
function readyOf(daemon: ChildProcess): Promise<'ready'> {
  return new Promise((resolve) => {
    daemon.stdout?.on('data', () => resolve('ready'));
  });
}

/** What to type for this program in the directory where it was started. */
function ownName({ entryFile }: Shell): string {
  return process.cwd() === dirname(dirname(entryFile)) ? './palyra' : 'palyra';
}

function endOf(daemon: ChildProcess, { terminal }: Shell): Promise<Exit> {
  return new Promise((resolve, reject) => {
    daemon.once('error', (cause) => {
      reject(new PalyraError('UNEXPECTED', 'the daemon could not be started', { cause }));
    });
    daemon.once('exit', (code, signal) => {
      // Its log ends in mid-sentence then; nobody else can say what happened.
      if (signal !== null) terminal.note(`the daemon was ended by ${signal}`);
      resolve(exitOfCode(code));
    });
  });
}

function announce(invocation: Invocation, health: GetHealthResponse): void {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('up', { health: wireJson(GetHealthResponseSchema, health) });
    return;
  }
  const { paint, symbols } = terminal;
  const title = paint('strong', `palyra ${inline(health.version)}`);
  terminal.print(`\n${paint('good', symbols.done)} ${title} is ready\n`);
  printFields(terminal, [...gatewayFields(health), ['state', homeOf(invocation.shell).stateDir]]);
  printMissing(terminal, health);
  const next = paint('accent', `${ownName(invocation.shell)} run "list the files here"`);
  terminal.print(`\n  try in another terminal: ${next}`);
  terminal.print(`  ${paint('quiet', 'Ctrl-C stops the gateway')}\n`);
}
