import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DAEMON = join(import.meta.dirname, '../../../dist/palyrad.cjs');

export interface Home extends AsyncDisposable {
  readonly path: string;
}

/** Any free port, so that tests never meet on one. */
const FREE_PORTS = '[transport]\nlisten = "127.0.0.1:0"\nconsole = "localhost:0"\n';

/** A home of its own whose palyra.toml says this. */
export async function homeWith(config: string): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'palyra-cli-'));
  await mkdir(join(path, 'config'), { mode: 0o700 });
  const text = `${config}\n${FREE_PORTS}`;
  await writeFile(join(path, 'config', 'palyra.toml'), text, { mode: 0o600 });
  return {
    path,
    // What a killed daemon had started may write for a moment longer.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** A home whose model says one word after another, for minutes. */
export async function homeWithSlowModel(): Promise<Home> {
  return await homeWithModel('word '.repeat(2000), 200);
}

/** A home whose model says this and calls nothing, so that nobody is asked. */
export async function homeWithModel(speech: string, paceMs = 0): Promise<Home> {
  return await homeWithTurns([[{ text: speech }]], paceMs);
}

export interface Said {
  readonly text?: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** A home whose model plays these turns. */
export async function homeWithTurns(
  turns: readonly (readonly Said[])[],
  paceMs = 0,
): Promise<Home> {
  const home = await homeWith('');
  const script = join(home.path, 'config', 'script.json');
  const text = JSON.stringify({ format: 'palyra.script.v1', pace_ms: paceMs, turns });
  await writeFile(script, text, { mode: 0o600 });
  const config = `[models]\nscript = ${JSON.stringify(script)}\n${FREE_PORTS}`;
  await writeFile(join(home.path, 'config', 'palyra.toml'), config);
  return home;
}

export interface RunningDaemon extends AsyncDisposable {
  readonly child: ChildProcess;
}

/** The real daemon. Contract: it answers when this resolves. */
export async function startDaemon(home: string): Promise<RunningDaemon> {
  const child = spawn(process.execPath, [DAEMON], {
    env: { PALYRA_HOME: home, PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the daemon ended: ${Buffer.concat(log).toString('utf8')}`);
  });
  // Once it is ready, its end is no news.
  ended.catch(() => {});
  // Its first words are `ready`.
  await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
