import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS, type Sandboxes, startSandboxd } from '@palyra/sandbox';
import { SANDBOXD } from '../../apps/sandboxd/testing/places.ts';
import { below } from '../../apps/sandboxd/testing/processes.ts';
import { print } from '../print.ts';

const RUNS = 20_000;
const WARM_UPS = 500;
const AT_ONCE = 4;
/** Of what is resident, in which the collector's spare room counts. */
const MAX_GROWTH = 0.15;

/** What one more sandbox that waits, or that is just being made, may hold. */
const ROOM = { processes: 16, descriptors: 64, mounts: 8, files: 32, groups: 24 } as const;

interface Holdings {
  readonly processes: number;
  readonly descriptors: number;
  readonly mounts: number;
  readonly files: number;
  readonly groups: number;
  readonly residentKb: number;
}

await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-runs-'));
const [state, workspace] = [join(folder.path, 'state'), join(folder.path, 'workspace')];
for (const each of [state, workspace]) mkdirSync(each, { mode: 0o711 });
const sandboxes = startSandboxd({
  program: SANDBOXD,
  opening: { folder: state, version: 'soak', warm: 1, warmTotal: 4, programs: [] },
});
const failures: string[] = [];
await runMany(WARM_UPS);
const before = holdings();
await runMany(RUNS);
const after = holdings();
await sandboxes[Symbol.asyncDispose]();
const left = [...below(process.pid).map(({ name }) => name), ...readdirSync(workspace)];

const growth = after.residentKb / before.residentKb - 1;
const more = (['processes', 'descriptors', 'mounts', 'files', 'groups'] as const).filter(
  (what) => after[what] > before[what] + ROOM[what],
);
for (const failure of failures.slice(0, 10)) print(failure);
print(`before ${JSON.stringify(before)}`);
print(`after ${JSON.stringify(after)}`);
print(
  `${RUNS} commands, ${failures.length} failed; grown: ${more.length === 0 ? 'nothing' : more.join(', ')}; left at the end: ${left.length === 0 ? 'nothing' : left.join(' ')}; ${(before.residentKb / 1024).toFixed(0)} → ${(after.residentKb / 1024).toFixed(0)} MB resident`,
);
const isClean = failures.length === 0 && more.length === 0 && left.length === 0;
process.exitCode = isClean && growth <= MAX_GROWTH ? 0 : 1;

async function runMany(count: number): Promise<void> {
  let started = 0;
  const worker = async () => {
    while (started < count) {
      started += 1;
      await runOne(sandboxes, started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function runOne(from: Sandboxes, number: number): Promise<void> {
  const ending = await from.run(
    {
      tier: 'C',
      executable: 'echo',
      arguments: [`${number}`],
      workspace,
      directory: '.',
      environment: {},
      stdin: new Uint8Array(),
      limits: DEFAULT_LIMITS,
      egress: { mode: 'strict', hosts: [], secrets: [] },
      principal: 'soak',
      session: `${number % AT_ONCE}`,
      policySetHash: '',
    },
    { signal: new AbortController().signal, onOutput: () => {}, onConnection: () => {} },
  );
  const output = Buffer.from(ending.stdout).toString('utf8');
  if (ending.code === 0 && output === `${number}\n`) return;
  failures.push(`${number}: ${ending.kind} ${ending.fault?.reason ?? ''} ${output}`);
}

function holdings(): Holdings {
  const sandboxd = below(process.pid).find(({ parent }) => parent === process.pid)?.pid ?? 0;
  const at = (path: string) => `/proc/${sandboxd}/${path}`;
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(at('status'), 'utf8'))?.[1];
  return {
    processes: below(sandboxd).length,
    descriptors: readdirSync(at('fd')).length,
    mounts: readFileSync(at('mountinfo'), 'utf8').split('\n').length,
    files: readdirSync(state, { recursive: true }).length + readdirSync(workspace).length,
    groups: groupsOf(sandboxd),
    residentKb: Number(resident),
  };
}

/** Of both versions, wherever they are mounted. */
function groupsOf(pid: number): number {
  const own = readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n');
  const folders = own.flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return line === '' ? [] : [join('/sys/fs/cgroup', controllers, path)];
  });
  return folders.reduce((sum, each) => sum + namesIn(each).length, 0);
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter((name) => name.startsWith('palyra-'));
  } catch {
    // This controller is mounted elsewhere, or not at all.
    return [];
  }
}
