import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { readDoor } from '@palyra/client';
import { placesFor } from '@palyra/kernel';
import { recordName } from '../recorded-start.ts';

/** Some twenty times what the slowest machine has needed. */
const LIMIT_MS = 60_000;

/**
 * Serves twice in a home of its own, first a new one, and keeps what V8 has compiled until the daemon
 * was ready: a start that finds it need not do so again. Node's own cache has only the functions of
 * the moment at which a file is loaded, hardly any. Contract: leaves no record when it rejects.
 */
export async function recordStart(name: string, dist: string): Promise<void> {
  await using home = await mkdtempDisposable(join(tmpdir(), 'palyra-record-'));
  const record = join(dist, 'cache', recordName(name));
  const draft = `${record}.next`;
  mkdirSync(join(dist, 'cache'), { recursive: true });
  for (const file of [record, draft]) rmSync(file, { force: true });
  const program = join(dist, 'program', `${name}.cjs`);
  for (const kind of ['new', 'existing'] as const)
    await serveOnce([program, draft], home.path, kind);
  renameSync(draft, record);
}

async function serveOnce(
  words: readonly string[],
  home: string,
  kind: 'existing' | 'new',
): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'record-run.ts'), ...words], {
    env: {
      PALYRA_HOME: home,
      PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
      PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
    },
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = endOf(child);
  await Promise.race([ended, askWhenReady(child.stdout, home)]);
  child.kill('SIGTERM');
  const { code, complaint } = await ended;
  if (code === 0) return;
  throw new Error(
    `a start in ${kind === 'new' ? 'a new' : 'an existing'} home failed: ${complaint}`,
  );
}

async function askWhenReady(output: Readable, home: string): Promise<void> {
  for await (const line of createInterface(output)) if (line.startsWith('ready ')) break;
  const door = await readDoor(placesFor({ PALYRA_HOME: home })?.doorDir ?? '');
  if (door !== undefined) await fetch(`${door.console}/readyz`);
}

async function endOf(child: ChildProcess) {
  const said: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void said.push(text));
  await once(child, 'close');
  return { code: child.exitCode, complaint: said.join('').trim().slice(-2_000) };
}
