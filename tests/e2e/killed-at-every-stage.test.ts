import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DAEMON, Daemon, environment, homeWithScript, palyra, waitFor } from './harness.ts';

const NAMES = ['a', 'b'];
const PATCH = NAMES.map(
  (name) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+of ${name}\n`,
).join('');
const SCRIPT = [
  [{ text: 'I patch. ' }, { tool: 'fs.patch', arguments: { patch: PATCH } }],
  [{ text: 'I look. ' }, { tool: 'fs.list', arguments: { path: '.' } }],
  [{ text: 'done' }],
];
/** As many as a run of these two calls makes, from its beginning to its end. */
const COMMITS = 10;
const MOST_RUNS = 20;

const listing = z.object({ runs: z.array(z.object({ runId: z.string(), status: z.string() })) });
const entry = z.object({
  kind: z.string(),
  payload: z.object({ callId: z.string().optional() }).loose(),
});

let base = '';
/** A home that was used before, so that a start in a copy of it commits as often as any other. */
let home = '';
let commitsOfStart = 0;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'palyra-killed-'));
  const settings = '[policy]\nmode = "auto"\n';
  const made = await homeWithScript(SCRIPT, { settings });
  home = join(base, 'home');
  await cp(made.path, home, { recursive: true });
  await made[Symbol.asyncDispose]();
  await writeFile(
    join(home, 'config/palyra.toml'),
    `[models]\nscript = ${JSON.stringify(join(home, 'config/script.json'))}\n${settings}`,
    { mode: 0o600 },
  );
  await mkdir(join(base, 'empty'));
  await using daemon = await new Daemon(home, join(base, 'empty')).ready();
  await palyra(home, 'status');
  await daemon.stop();
  commitsOfStart = await commitsUntilSettled();
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** The daemon under a tracer that kills it, and nothing else, as it is about to flush the disk for the nth time. */
class DoomedDaemon implements AsyncDisposable {
  readonly tracer: ChildProcess;
  #log = '';

  constructor(place: Place, atFlush: number) {
    const doom = ['-e', `inject=fsync:signal=SIGKILL:when=${atFlush}`];
    const words = ['-f', '-qq', '-o', place.trace, '-e', 'trace=fsync', ...doom];
    this.tracer = spawn('strace', [...words, process.execPath, DAEMON], {
      cwd: place.workspace,
      env: environment(place.home),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: the tracer alone could be killed, and the daemon would live on.
      detached: true,
    });
    const keep = (text: string) => (this.#log += text);
    this.tracer.stdout?.setEncoding('utf8').on('data', keep);
    this.tracer.stderr?.setEncoding('utf8').on('data', keep);
  }

  /** It has done what it does by itself after a start, or is dead. */
  async settled(at: string): Promise<void> {
    await waitFor(() => this.isDead || /^ready /m.test(this.#log));
    await palyra(at, 'status');
  }

  /** A run that a busy machine cut short commits less often: then the next one meets the doom. */
  async runUntilDead(at: string): Promise<void> {
    for (let runs = 0; runs < MOST_RUNS; runs += 1) {
      await palyra(at, 'run', 'go');
      // Whoever was cut off may hear of it before its tracer has; the next one finds nobody.
      if (this.isDead) return;
    }
    throw new Error(`${MOST_RUNS} runs, and it still lives: ${this.#log}`);
  }

  get isDead(): boolean {
    return this.tracer.exitCode !== null || this.tracer.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isDead || this.tracer.pid === undefined) return;
    const ended = once(this.tracer, 'exit');
    process.kill(-this.tracer.pid, 'SIGKILL');
    await ended;
  }
}

interface Place {
  readonly home: string;
  readonly workspace: string;
  readonly trace: string;
}

/** The same home, files and all, for one kill. */
async function placeFor(name: string): Promise<Place> {
  const workspace = join(base, `workspace-${name}`);
  await mkdir(workspace);
  const own = join(base, `home-${name}`);
  await cp(home, own, { recursive: true });
  return { home: own, workspace, trace: join(base, `trace-${name}`) };
}

async function commitsUntilSettled(): Promise<number> {
  const place = await placeFor('whole');
  await using daemon = new DoomedDaemon(place, 10_000);
  await daemon.settled(place.home);
  return (await readFile(place.trace, 'utf8')).split('\n').filter((line) => line !== '').length;
}

async function statusOf(at: string): Promise<z.infer<typeof listing>['runs']> {
  return listing.parse(JSON.parse((await palyra(at, 'runs', 'list', '--json')).stdout)).runs;
}

/** How often each call has which entry. */
async function entriesOfCalls(at: string): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await palyra(at, 'journal', 'tail', '-n', '1000', '--json');
  const counts: Record<string, number> = {};
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const told = z.object({ entry }).safeParse(JSON.parse(line));
    if (!told.success || told.data.entry.payload.callId === undefined) continue;
    const key = `${told.data.entry.kind} ${told.data.entry.payload.callId}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

async function filesIn(workspace: string): Promise<readonly string[]> {
  const read = (name: string) => readFile(join(workspace, name), 'utf8').catch(() => 'absent');
  return await Promise.all(NAMES.map(read));
}

describe('a gateway that is killed for real at each commit of a run', () => {
  it.concurrent.each(Array.from({ length: COMMITS }, (_, place) => place + 1))(
    'neither repeats nor loses a call, nor leaves half a patch: %d',
    verifies('runs:killed-anywhere', 'runs:nothing-runs-twice', 'runs:changes-are-whole'),
    async (commit) => {
      const place = await placeFor(String(commit));
      {
        await using doomed = new DoomedDaemon(place, commitsOfStart + commit);
        await doomed.settled(place.home);
        await doomed.runUntilDead(place.home);
      }
      await using _daemon = await new Daemon(place.home, place.workspace).ready();
      for (const { runId, status } of await statusOf(place.home)) {
        if (status !== 'RUN_STATUS_INTERRUPTED') continue;
        await palyra(place.home, 'runs', 'resume', runId);
      }
      for (const { status } of await statusOf(place.home)) {
        expect(status).toBe('RUN_STATUS_COMPLETED');
      }
      const counts = await entriesOfCalls(place.home);
      for (const [what, count] of Object.entries(counts)) {
        if (/^tool\.(?:started|finished|attested)/.test(what))
          expect([what, count]).toEqual([what, 1]);
      }
      const whole = NAMES.map((name) => `of ${name}\n`);
      expect([whole, ['absent', 'absent']]).toContainEqual(await filesIn(place.workspace));
      expect((await palyra(place.home, 'journal', 'verify')).code).toBe(0);
    },
  );
});
