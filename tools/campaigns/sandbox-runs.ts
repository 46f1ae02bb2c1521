import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ending, DEFAULT_LIMITS, type SandboxRequest, startSandboxd } from '@palyra/sandbox';
import { SANDBOXD } from '../../apps/sandboxd/testing/places.ts';
import { below } from '../../apps/sandboxd/testing/processes.ts';
import { print } from '../print.ts';
import { setup as buildPrograms } from '../setup/built-programs.ts';
import { readCampaignArgs } from './campaign-args.ts';

const TENTHS = 10;
const AT_ONCE = 4;
/** From the first tenth to the last, of what is resident, in which the collector's spare room counts. */
const MAX_GROWTH = 0.1;
const PROGRESS_RUNS = 500;

/** What one more sandbox that waits, or that is just being made, may hold. */
const ROOM = { processes: 16, descriptors: 64, mounts: 8, files: 32, groups: 24 } as const;

interface Holdings {
  readonly processes: number;
  readonly descriptors: number;
  readonly mounts: number;
  readonly files: number;
  readonly groups: number;
}

/** One of some ways in which a command is run, and how it has to end. */
interface Way {
  readonly words: (number: number) => readonly string[];
  readonly request?: (number: number) => Partial<SandboxRequest>;
  /** Taken back as soon as it has said something. */
  readonly isCancelled?: true;
  readonly isRight: (ending: Ending, number: number) => boolean;
}

const textOf = ({ stdout }: Ending) => Buffer.from(stdout).toString('utf8');
const echo = {
  words: (number: number) => ['echo', `${number}`],
  isRight: (ending: Ending, number: number) =>
    ending.code === 0 && textOf(ending) === `${number}\n`,
};

const PLAIN: Way = echo;
/** Nothing is kept warm for a session that comes once. */
const COLD: Way = { ...echo, request: (number) => ({ session: `once-${number}` }) };
const LATE: Way = {
  words: () => ['sh', '-c', '(setsid sleep 600 &); echo up; sleep 600'],
  request: () => ({ limits: { ...DEFAULT_LIMITS, wallTimeMs: 200 } }),
  isRight: ({ fault }) => fault?.code === 'SANDBOX_TIMED_OUT',
};
const CANCELLED: Way = {
  words: () => ['sh', '-c', 'sleep 600 & echo up; wait'],
  isCancelled: true,
  isRight: ({ fault }) => fault?.code === 'CANCELLED',
};
const KILLED: Way = {
  words: () => ['sh', '-c', 'kill -9 $$'],
  isRight: ({ kind, signal }) => kind === 'killed' && signal === 'SIGKILL',
};
const LEAVES_MUCH: Way = {
  words: () => ['sh', '-c', 'head -c 300000 /dev/zero > /tmp/much; cat /tmp/much'],
  isRight: ({ code, stdout }) => code === 0 && stdout.length === 300_000,
};

/** Of twenty commands. */
function wayOf(number: number): Way {
  const place = number % 20;
  if (place < 12) return PLAIN;
  if (place < 16) return COLD;
  return [LATE, CANCELLED, KILLED, LEAVES_MUCH][place - 16] ?? PLAIN;
}

const { share } = readCampaignArgs();
const RUNS_A_SAMPLE = 20;
const SAMPLES_A_TENTH = Math.ceil(100 * share);
const RUNS_A_TENTH = RUNS_A_SAMPLE * SAMPLES_A_TENTH;
/** Until caches are full and code is compiled, memory grows; no share of it would do. */
const WARM_UPS = 500;

await buildPrograms();
// Not below a temporary folder that only we can pass.
await using folder = await mkdtempDisposable('/tmp/palyra-runs-');
await chmod(folder.path, 0o755);
const [state, workspace] = [join(folder.path, 'state'), join(folder.path, 'workspace')];
for (const each of [state, workspace]) mkdirSync(each, { mode: 0o711 });
/** Who was there before, as what builds the programs: none of ours. */
const others = new Set(ours().map(({ pid }) => pid));
const sandboxes = startSandboxd({
  program: SANDBOXD,
  opening: { folder: state, version: 'soak', warm: 1, warmTotal: 4, programs: [] },
});
const failures: string[] = [];
const progress = { done: 0 };

await runMany(WARM_UPS);
const before = holdings();
const resident: number[] = [];
for (let tenth = 0; tenth < TENTHS; tenth += 1) resident.push(await medianOfTenth());
const after = holdings();
await sandboxes[Symbol.asyncDispose]();
const left = [...ours(others).map(({ name }) => name), ...namesIn(workspace, /./)];
report(before, after);

function report(first: Holdings, last: Holdings): void {
  const kinds = ['processes', 'descriptors', 'mounts', 'files', 'groups'] as const;
  const more = kinds.filter((what) => last[what] > first[what] + ROOM[what]);
  const [firstMb = 0, lastMb = 0] = [resident[0], resident.at(-1)];
  const growth = lastMb / firstMb - 1;
  for (const failure of failures.slice(0, 10)) print(failure);
  print(`before ${JSON.stringify(first)}`);
  print(`after ${JSON.stringify(last)}`);
  print(`resident by tenths: ${resident.map((mb) => mb.toFixed(1)).join(' ')} MB`);
  print(
    `${TENTHS * RUNS_A_TENTH} commands, cold, warm, cancelled, killed and too slow, ${failures.length} ended wrongly; grown: ${more.join(', ') || 'nothing'}; left at the end: ${left.join(' ') || 'nothing'}; first tenth → last: ${firstMb.toFixed(1)} → ${lastMb.toFixed(1)} MB (${(growth * 100).toFixed(1)} %) resident`,
  );
  const isClean = failures.length === 0 && more.length === 0 && left.length === 0;
  process.exitCode = isClean && growth <= MAX_GROWTH ? 0 : 1;
}

/** What the process that makes sandboxes takes, in megabytes. */
async function medianOfTenth(): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES_A_TENTH; sample += 1) {
    await runMany(RUNS_A_SAMPLE);
    samples.push(residentMb());
  }
  return samples.toSorted((one, other) => one - other)[samples.length >> 1] ?? 0;
}

async function runMany(count: number): Promise<void> {
  const last = progress.done + count;
  const worker = async () => {
    while (progress.done < last) {
      progress.done += 1;
      if (progress.done % PROGRESS_RUNS === 0)
        print(`${progress.done} commands, ${residentMb().toFixed(1)} MB`);
      await runOne(progress.done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function runOne(number: number): Promise<void> {
  const way = wayOf(number);
  const [executable = '', ...words] = way.words(number);
  const stop = new AbortController();
  const ending = await sandboxes.run(
    {
      tier: 'C',
      executable,
      arguments: words,
      workspace,
      directory: '.',
      environment: {},
      stdin: new Uint8Array(),
      limits: DEFAULT_LIMITS,
      egress: { mode: 'strict', hosts: [], secrets: [] },
      principal: 'soak',
      session: `${number % AT_ONCE}`,
      policySetHash: '',
      ...way.request?.(number),
    },
    {
      signal: stop.signal,
      onOutput: () => {
        if (way.isCancelled) stop.abort();
      },
      onConnection: () => {},
      mayConnect: async () => false,
    },
  );
  if (way.isRight(ending, number)) return;
  const { kind, code, signal, fault } = ending;
  failures.push(`${number}: ${kind} ${code ?? signal ?? ''} ${fault?.reason ?? ''}`);
}

function ours(but: ReadonlySet<number> = new Set()) {
  return below(process.pid).filter(({ pid }) => !but.has(pid));
}

function sandboxd(): number {
  return ours(others).find(({ parent }) => parent === process.pid)?.pid ?? 0;
}

function residentMb(): number {
  const status = readFileSync(`/proc/${sandboxd()}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6;
}

function holdings(): Holdings {
  const pid = sandboxd();
  const at = (path: string) => `/proc/${pid}/${path}`;
  return {
    processes: below(pid).length,
    descriptors: readdirSync(at('fd')).length,
    mounts: readFileSync(at('mountinfo'), 'utf8').split('\n').length,
    files: readdirSync(state, { recursive: true }).length + readdirSync(workspace).length,
    groups: groupsOf(pid),
  };
}

/** Of both versions, wherever they are mounted. */
function groupsOf(pid: number): number {
  const own = readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n');
  const folders = own.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return line === '' ? [] : [join('/sys/fs/cgroup', controllers, path)];
  });
  return folders.reduce((sum, each) => sum + namesIn(each, /^palyra-/).length, 0);
}

function namesIn(path: string, like: RegExp): readonly string[] {
  try {
    return readdirSync(path).filter((name) => like.test(name));
  } catch {
    // This controller is mounted elsewhere, or not at all.
    return [];
  }
}
