import type { ChildProcess } from 'node:child_process';
import { fromJsonString } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type GetHealthResponse, GetHealthResponseSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../command.ts';
import { LastLines } from '../daemon-failure.ts';
import { startDaemon } from '../daemon-program.ts';
import { EXITS, type Exit, exitOfCode } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { onInterrupt } from '../interrupts.ts';
import { readLines } from '../line-reader.ts';
import { ownName } from '../own-name.ts';
import { gatewayFields, printMissing } from '../render/health.ts';
import { printFields } from '../render/layout.ts';
import { inline } from '../render/words.ts';
import type { Terminal } from '../terminal.ts';
import { wireJson } from '../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const { terminal } = shell;
  const told = new AbortController();
  using cleanup = new DisposableStack();
  // Listens before there is a daemon, so that none is left by a signal; signals wait their turn,
  // which comes only after the next line.
  cleanup.use(
    onInterrupt((times) => {
      const isSecond = times > 1;
      terminal.note(isSecond ? '\nkilled' : '\nstopping; Ctrl-C again kills it');
      told.abort();
      daemon.kill(isSecond ? 'SIGKILL' : 'SIGTERM');
    }),
  );
  const daemon = startDaemon(shell, {
    log: wantsJson(invocation) ? 'pipe' : 'inherit',
    settings: invocation.texts.get('set') ?? [],
  });
  // Whoever ends this program ends the daemon too. SIGKILL leaves no moment for that; the daemon
  // then finds its standard input closed.
  process.once('exit', () => daemon.kill('SIGTERM'));
  const lines = new LastLines();
  const [end] = await Promise.all([
    endOf(daemon),
    keepLog(daemon, lines, terminal),
    announceWhenReady(invocation, daemon, told.signal),
  ]);
  return conclude(invocation, { ...end, isTold: told.signal.aborted, failure: lines.failure() });
}

interface DaemonEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Conclusion extends DaemonEnd {
  readonly isTold: boolean;
  /** What the daemon said, as far as it was heard here. */
  readonly failure: PalyraError | undefined;
}

function conclude(invocation: Invocation, end: Conclusion): Exit {
  const { terminal } = invocation.shell;
  const { code, signal, isTold } = end;
  // Early in its start a daemon does not listen to signals yet, and ends by them.
  const exit = isTold && signal === 'SIGTERM' ? 'ok' : exitOfCode(code);
  // Its log ends in mid-sentence then; nobody else can say what happened.
  const words = signal === null ? 'the daemon failed' : `the daemon was ended by ${signal}`;
  if (wantsJson(invocation)) {
    if (exit !== 'ok') throw end.failure ?? new PalyraError('UNEXPECTED', words);
    terminal.json('ended', { exit: EXITS[exit].code });
  } else if (exit !== 'ok' && signal !== null) {
    terminal.note(words);
  }
  return exit;
}

/** Waits for its output too, which may tell more than its exit code. */
function endOf(daemon: ChildProcess): Promise<DaemonEnd> {
  return new Promise((resolve, reject) => {
    daemon.once('error', (cause) => {
      reject(new PalyraError('UNEXPECTED', 'the daemon could not be started', { cause }));
    });
    daemon.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** The log goes on to standard error; without a pipe the daemon writes there by itself. */
async function keepLog(daemon: ChildProcess, kept: LastLines, terminal: Terminal): Promise<void> {
  if (daemon.stderr === null) return;
  for await (const bytes of readLines(daemon.stderr)) {
    const line = Buffer.from(bytes).toString('utf8');
    kept.add(line);
    terminal.note(line);
  }
}

/** One that ends before it is ready has said on standard error why. */
async function announceWhenReady(
  invocation: Invocation,
  daemon: ChildProcess,
  told: AbortSignal,
): Promise<void> {
  if (daemon.stdout === null) return;
  for await (const line of readLines(daemon.stdout)) {
    const health = healthIn(Buffer.from(line).toString('utf8'));
    if (health !== undefined && !told.aborted) announce(invocation, health);
  }
}

/** The daemon says how it is once it is ready, so that nobody has to be a caller to show it. */
function healthIn(line: string): GetHealthResponse | undefined {
  const [, json] = /^health (.*)$/.exec(line) ?? [];
  return json === undefined ? undefined : fromJsonString(GetHealthResponseSchema, json);
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
