import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, PalyraError } from '@palyra/kernel';
import type { Shell } from '../command.ts';
import { LastLines } from '../daemon-failure.ts';
import { startDaemon } from '../daemon-program.ts';
import { readLines } from '../line-reader.ts';
import { scriptOf } from './chapters.ts';
import { HOOKS, workspaceFiles } from './workspace.ts';

/** The system may still be writing to a folder that was just left. */
const GONE = { recursive: true, force: true, maxRetries: 5 } as const;

/** Where the story plays: a home, a workspace and a gateway that nothing else uses. */
export interface Stage extends AsyncDisposable {
  readonly shell: Shell;
  readonly workspace: string;
}

export interface StageParts {
  readonly shell: Shell;
  readonly canary: string;
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

/** Contract: what it made is gone when it fails, when it is disposed of and when the program ends. */
export async function openStage({ shell, canary, paceMs, signal }: StageParts): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), 'palyra-demo-'));
  const clear = () => rmSync(root, GONE);
  process.once('exit', clear);
  stack.defer(() => void process.off('exit', clear));
  stack.defer(() => rm(root, GONE));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  const script = join(root, 'script.json');
  await mkdir(home, { mode: 0o700 });
  await writeFile(script, scriptOf(paceMs), { mode: 0o600 });
  await furnish(workspace, canary);
  const ownShell = { ...shell, gateway: undefined, environment: own(shell, { home, script }) };
  const daemon = startDaemon(ownShell, { log: 'pipe', settings: [], folder: workspace });
  // Before the folder is cleared: a daemon that still runs would go on writing there.
  process.prependOnceListener('exit', () => daemon.kill('SIGKILL'));
  stack.defer(() => stop(daemon));
  await ready(daemon, signal);
  // Calls that are still open end before the gateway does.
  const ending = stack.use(new AsyncDisposableStack());
  const release = stack.move();
  return {
    shell: { ...ownShell, ending },
    workspace,
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

async function furnish(workspace: string, canary: string): Promise<void> {
  await mkdir(join(workspace, HOOKS), { recursive: true, mode: 0o700 });
  for (const [name, text] of workspaceFiles(canary)) {
    await writeFile(join(workspace, name), text, { mode: 0o600 });
  }
}

/** None of the user's own settings, which would change the story or their gateway. */
function own(
  { environment }: Shell,
  { home, script }: { readonly home: string; readonly script: string },
): Environment {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('PALYRA_'));
  return {
    ...Object.fromEntries(others),
    PALYRA_HOME: home,
    PALYRA_MODELS_PROVIDER: 'script',
    PALYRA_MODELS_SCRIPT: script,
    PALYRA_POLICY_MODE: 'ask',
    PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
    PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
  };
}

/** Contract: throws what the daemon said when it ends before it is ready. */
async function ready(daemon: ChildProcess, signal: AbortSignal): Promise<void> {
  const lines = new LastLines();
  const heard = hear(daemon, lines);
  const onAbort = () => daemon.kill('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const isReady = await new Promise<boolean>((resolve, reject) => {
    // What it writes to its output, it writes once it is ready.
    daemon.stdout?.on('data', () => resolve(true));
    daemon.once('exit', () => resolve(false));
    daemon.once('error', (cause) => {
      reject(new PalyraError('UNEXPECTED', 'the daemon could not be started', { cause }));
    });
  });
  signal.removeEventListener('abort', onAbort);
  if (signal.aborted) throw left();
  if (isReady) return;
  await heard;
  throw lines.failure() ?? new PalyraError('UNEXPECTED', 'the daemon ended before it was ready');
}

/** Its log is nobody's business here, but for its last words. */
async function hear(daemon: ChildProcess, lines: LastLines): Promise<void> {
  if (daemon.stderr === null) return;
  for await (const bytes of readLines(daemon.stderr)) {
    lines.add(Buffer.from(bytes).toString('utf8'));
  }
}

async function stop(daemon: ChildProcess): Promise<void> {
  const wasStarted = daemon.pid !== undefined;
  if (!wasStarted || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  daemon.kill('SIGTERM');
  await ended;
}

export function left(): PalyraError {
  const help = 'its folder is gone; `palyra demo` begins again';
  return new PalyraError('CANCELLED', 'the demo was left before its end', { help });
}
