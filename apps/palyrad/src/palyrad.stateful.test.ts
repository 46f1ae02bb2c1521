import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isJsonObject } from '@palyra/kernel';
import { Readiness, RunStatus } from '@palyra/protocol';
import { type TempHome, consoleOf, ownClient, tempHome, verifies } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../dist/palyrad.cjs');
/** Tells the daemon to stop as soon as it listens for that, which is before it begins to start. */
const STOP_AT_ONCE = `data:text/javascript,${encodeURIComponent(
  "process.on('newListener', (name) => { if (name === 'SIGTERM') setImmediate(() => process.kill(process.pid, name)); });",
)}`;

/** So that no two daemons of the tests meet. */
const OWN_PORTS = {
  PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
  PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
};

let home: TempHome;
const children: ChildProcess[] = [];
beforeEach(async () => {
  home = await tempHome();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await home[Symbol.asyncDispose]();
});

describe('palyrad', () => {
  it('starts, answers, records both ends and stops cleanly on SIGTERM', async () => {
    const daemon = palyrad();
    expect(await daemon.ready).toMatch(/^ready https:\/\/127\.0\.0\.1:\d+$/);
    expect(await readyz()).toBe(200);
    const client = await ownClient(home.places);
    const health = await client.health.getHealth({});
    expect(health).toMatchObject({ profile: 'local', modelIsScript: true, activeRuns: 0 });

    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toMatchObject({ exit: 0 });
    const report = await ask('journal', 'verify');
    expect(report).toMatchObject({ exit: 0, answer: { verdict: 'intact' } });
  });

  it('logs JSON where no terminal is', async () => {
    const daemon = palyrad();
    await daemon.ready;
    daemon.child.kill('SIGINT');
    const { stderr } = await daemon.ended;
    const lines = stderr.trim().split('\n').map(parseObject);
    expect(lines.map((line) => line['message'])).toEqual([
      'server certificate made',
      'ready',
      'stopping',
      'stopped',
    ]);
  });

  it('takes no second daemon on the same store', async () => {
    const first = palyrad();
    await first.ready;
    const second = await palyrad().ended;
    expect(second).toMatchObject({ exit: 8, stdout: '' });
    expect(second.stderr).toContain('DAEMON_RUNNING');
    expect(await readyz()).toBe(200);
  });

  it('starts again after a kill, over the door file that was left behind', async () => {
    const first = palyrad();
    await first.ready;
    first.child.kill('SIGKILL');
    await first.ended;
    const second = palyrad();
    await second.ready;
    expect(await readyz()).toBe(200);
  });

  it('interrupts a run that does not end within the grace period', async () => {
    const daemon = await slowDaemon(0);
    const client = await ownClient(home.places);
    const seen: (string | undefined)[] = [];
    for await (const { event } of client.runs.startRun({ prompt: 'go' })) {
      if (seen.length === 0) daemon.child.kill('SIGTERM');
      seen.push(event.case);
    }
    expect(seen.at(-1)).toBe('runInterrupted');
    expect(await daemon.ended).toMatchObject({ exit: 0 });
  });

  it('drains when it is told to stop by several at the same moment', async () => {
    const daemon = await slowDaemon(0);
    const client = await ownClient(home.places);
    const seen: (string | undefined)[] = [];
    for await (const { event } of client.runs.startRun({ prompt: 'go' })) {
      if (seen.length === 0) for (const _ of [1, 2, 3]) daemon.child.kill('SIGTERM');
      seen.push(event.case);
    }
    expect(seen.at(-1)).toBe('runInterrupted');
    expect(await daemon.ended).toMatchObject({ exit: 0 });
  });

  it('ends at once on a second signal, and the next start marks what was cut', async () => {
    const first = await slowDaemon(600_000);
    const client = await ownClient(home.places);
    const watching = client.runs.startRun({ prompt: 'go' });
    const watched = Array.fromAsync(watching, () => first.child.kill('SIGTERM'));
    const [{ exit }, cut] = await Promise.all([
      first.ended,
      watched.catch((reason: unknown) => reason),
    ]);
    expect(exit).toBe(1);
    expect(cut).toMatchObject({ code: 'DAEMON_UNREACHABLE' });

    await palyrad().ready;
    const { runs } = await (await ownClient(home.places)).runs.listRuns({});
    expect(runs).toMatchObject([{ status: RunStatus.INTERRUPTED }]);
  });

  it('ends cleanly when it is told to stop while it starts', async () => {
    const daemon = palyradIn(home.path, [], { NODE_OPTIONS: `--import=${STOP_AT_ONCE}` });
    const { exit, stdout, stderr } = await daemon.ended;
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' });
    expect(stderr).toContain('stopped while it was starting');
    await palyrad().ready;
  });

  it('says that it failed once its journal cannot be written, and goes on answering', async () => {
    const daemon = await daemonWithLittleDisk();
    const client = await ownClient(home.places);
    const prompt = 'x'.repeat(200_000);
    const runs = Array.from({ length: 20 }, () =>
      Array.fromAsync(client.runs.startRun({ prompt })),
    );
    expect((await Promise.allSettled(runs)).map(({ status }) => status)).toContain('rejected');
    expect(await readyz()).toBe(503);
    expect((await client.health.getHealth({})).readiness).toBe(Readiness.FAILED);
    expect(await Array.fromAsync(client.journal.tailJournal({ last: 1 }))).toHaveLength(1);

    daemon.child.kill('SIGTERM');
    const { exit, stderr } = await daemon.ended;
    expect(exit).toBe(1);
    expect(stderr.match(/the journal cannot be relied on/g)).toHaveLength(1);
  });

  it.each(['relative', './here', '~/there'])('does not take `%s` for a home', async (path) => {
    const { exit, stderr } = await palyradIn(path, []).ended;
    expect(exit).toBe(6);
    expect(stderr).toContain(
      `CONFIG_INVALID: \`PALYRA_HOME\` is not an absolute path: \`${path}\``,
    );
  });

  it(
    'does not start in a home in which others can write',
    verifies('daemon:files-are-private'),
    async () => {
      await chmod(home.path, 0o777);
      const { exit, stderr } = await palyrad().ended;
      expect(exit).toBe(6);
      expect(stderr).toContain('HOME_UNSAFE');
      expect(stderr).toContain('chmod 755');
    },
  );

  it(
    'does not start in a home that others can read',
    verifies('daemon:files-are-private'),
    async () => {
      await mkdir(home.places.stateDir, { recursive: true });
      await chmod(home.places.stateDir, 0o755);
      const { exit, stderr } = await palyrad().ended;
      expect(exit).toBe(6);
      expect(stderr).toContain('HOME_UNSAFE');
      expect(stderr).toContain('chmod 700');
    },
  );

  it('does not start with a wrong configuration and names the key and its place', async () => {
    await mkdir(home.places.configDir, { recursive: true, mode: 0o700 });
    await writeFile(home.places.configFile, '[transport]\ndrain_ms = -1\n', { mode: 0o600 });
    const { exit, stderr } = await palyrad().ended;
    expect(exit).toBe(6);
    expect(stderr).toContain('CONFIG_INVALID');
    expect(stderr).toContain('transport.drain_ms');
    expect(stderr).toContain('palyra.toml:2');
  });

  it('says so when somebody else has its port', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { exit, stderr } = await palyrad('--set', `transport.listen=127.0.0.1:${port}`).ended;
    taken.close();
    expect(exit).not.toBe(0);
    expect(stderr).toContain('ADDRESS_UNUSABLE');
    expect(stderr).toContain('transport.listen');
  });

  it('refuses a console that others could reach without TLS, with the key and its layer', async () => {
    const { exit, stderr } = await palyrad('--set', 'transport.console=0.0.0.0:7142').ended;
    expect(exit).toBe(6);
    expect(stderr).toContain('transport.console');
  });

  it('refuses two doors on one port', async () => {
    const { exit, stderr } = await palyrad(
      '--set',
      'transport.console=localhost:7443',
      '--set',
      'transport.listen=127.0.0.1:7443',
    ).ended;
    expect(exit).toBe(6);
    expect(stderr).toContain('CONFIG_CONTRADICTION');
  });

  it('refuses the profile that needs a shared database', async () => {
    const { exit, stderr } = await palyrad('--set', 'deployment.profile=worker-enabled').ended;
    expect(exit).not.toBe(0);
    expect(stderr).toContain('NOT_BUILT');
  });
});

describe('palyrad without a daemon', () => {
  it('answers a fault as JSON with an exit code', async () => {
    expect(await ask('config', 'get', 'transport.drain')).toMatchObject({
      exit: 6,
      answer: { format: 'palyra.cli.v1', error: { code: 'CONFIG_UNKNOWN_KEY' } },
    });
  });
});

function palyrad(...words: readonly string[]) {
  return palyradIn(home.path, words);
}

/** Plays a script that would take hours to end. */
async function slowDaemon(drainMs: number) {
  const script = await scriptOf('word '.repeat(10_000), 1_000);
  const settings = [`models.script=${script}`, `transport.drain_ms=${drainMs}`];
  const daemon = palyrad(...settings.flatMap((setting) => ['--set', setting]));
  await daemon.ready;
  return daemon;
}

/** A script that speaks and calls nothing, so nobody is asked. */
async function scriptOf(speech: string, paceMs: number): Promise<string> {
  const path = join(home.path, 'script.json');
  const script = { format: 'palyra.script.v1', pace_ms: paceMs, turns: [[{ text: speech }]] };
  await writeFile(path, JSON.stringify(script), { mode: 0o600 });
  return path;
}

/** No file of its may grow beyond two mebibytes, as on a full disk. */
async function daemonWithLittleDisk() {
  const limited = 'ulimit -f 2048 && exec "$@"';
  const words = [MAIN, '--set', `models.script=${await scriptOf('hello', 0)}`];
  const child = spawn('bash', ['-c', limited, 'bash', process.execPath, ...words], {
    env: { ...process.env, ...OWN_PORTS, PALYRA_HOME: home.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const daemon = daemonIn(child);
  await daemon.ready;
  return daemon;
}

function palyradIn(path: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, ...OWN_PORTS, ...environment, PALYRA_HOME: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return daemonIn(child);
}

function daemonIn(child: ChildProcessByStdio<null, Readable, Readable>) {
  children.push(child);
  const ready = Promise.withResolvers<string>();
  child.stdout.once('data', (line: Buffer) => ready.resolve(line.toString().trim()));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr]) => {
      ready.reject(new Error(`the daemon ended: ${stderr}`));
      return { exit: child.exitCode, stdout, stderr };
    },
  );
  ready.promise.catch(() => {});
  return { child, ready: ready.promise, ended };
}

async function ask(...words: readonly string[]) {
  const { exit, stdout } = await palyrad(...words).ended;
  return { exit, answer: parseObject(stdout) };
}

function parseObject(line: string) {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) throw new TypeError('not an object');
  return value;
}

async function readyz(): Promise<number> {
  return (await fetch(`${await consoleOf(home.places)}/readyz`)).status;
}
