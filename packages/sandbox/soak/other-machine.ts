import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, createReadStream, existsSync, openSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { Bytes } from '@palyra/kernel';
import { openLibc } from '../src/libc.ts';
import { openSend } from '../src/send-descriptors.ts';
import { socketPair } from '../src/socket-pair.ts';
import type { ElfMachine } from '../src/starter/elf-file.ts';
import { standInElf } from '../src/starter/stand-in-elf.ts';
import { starterElf } from '../src/starter/starter-elf.ts';
import { userSwitchElf } from '../src/starter/user-switch.ts';
import { orderBytes, waitingStarterElf } from '../src/starter/waiting-starter.ts';

const EMULATOR = '/usr/bin/qemu-aarch64-static';
/** As this machine runs it, and as an emulator of the other one does. */
const WAYS: readonly { readonly machine: ElfMachine; readonly through: readonly string[] }[] = [
  { machine: 'x64', through: [] },
  { machine: 'arm64', through: [EMULATOR] },
];
const USER = { uid: 61_100, gid: 61_100 };
/** One that exits, one that is not there, one that is killed. */
const SCRIPTS = [
  'cat; pwd; echo $A; ulimit -n; echo no >&2; exit 3',
  'exit 0',
  'kill -9 $$',
  'exit 137',
];
const OPEN_FILES = 7;
const REPORT = 6;

export interface Compared {
  readonly cases: number;
  /** What the two did differently. */
  readonly differences: readonly string[];
}

/** Contract: throws where the one machine cannot be had, with the way out. */
export async function compareMachines(): Promise<Compared> {
  if (process.arch !== 'x64' || !existsSync(EMULATOR)) {
    throw new Error(
      'it takes an x86-64 machine and an emulator: `apt-get install qemu-user-static`',
    );
  }
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-machines-'));
  const results = await Promise.all(WAYS.map((way) => resultsOf(way, folder.path)));
  const [here = [], there = []] = results;
  const differences = here.flatMap((result, place) =>
    result === there[place] ? [] : [`${result} here, ${there[place]} there`],
  );
  return { cases: here.length, differences };
}

async function resultsOf({ machine, through }: (typeof WAYS)[number], folder: string) {
  const put = (name: string, program: Bytes): readonly [string, ...string[]] => {
    const file = join(folder, `${name}-${machine}`);
    writeFileSync(file, program, { mode: 0o755 });
    const [first, ...rest] = [...through, file];
    if (first === undefined) throw new TypeError('there is nothing to run');
    return [first, ...rest];
  };
  const waiting = put('waiting', waitingStarterElf(machine));
  const starter = put('starter', starterElf(machine));
  const results: string[] = [];
  for (const script of SCRIPTS) {
    results.push(await waitingFor(waiting, '/bin/sh', ['sh', '-c', script]));
    results.push(await started(starter, ['/bin/sh', 'sh', '-c', script]));
  }
  results.push(await waitingFor(waiting, '/no/such', ['such']));
  results.push(await started(starter, ['/no/such', 'such']));
  results.push(await became(put('stand-in', standInElf(machine, undefined))));
  if (process.getuid?.() === 0) {
    const [program, ...words] = put('switch', userSwitchElf(machine, USER));
    const child = spawn(program, [...words, '/usr/bin/id'], { env: {}, stdio: 'pipe' });
    results.push(await text(child.stdout));
  }
  return results;
}

async function waitingFor(
  [file, ...before]: readonly [string, ...string[]],
  program: string,
  words: readonly string[],
): Promise<string> {
  const child = spawn(file, before, { env: {}, stdio: Array(REPORT + 1).fill('pipe') });
  writer(child, 3).end('input\n');
  const limits = [{ resource: OPEN_FILES, soft: 64, hard: 64 }];
  const order = { limits, directory: '/tmp', environment: { A: 'b' }, program, words };
  writer(child, 0).end(orderBytes(order));
  return await toldByOneThatStays(child);
}

/** That it is ready, that it has begun, and what became of the command. */
const TOLD_BYTES = 2 + 4;

async function toldByOneThatStays(child: ChildProcess): Promise<string> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let report = Buffer.alloc(0);
  reader(child, REPORT).on('data', (chunk: Buffer) => {
    report = Buffer.concat([report, chunk]);
    if (report.length >= TOLD_BYTES) child.kill('SIGKILL');
  });
  const said = await Promise.all([4, 5].map((number) => text(reader(child, number))));
  await exited;
  return JSON.stringify([...said, report.toString('hex', 0, TOLD_BYTES)]);
}

async function started(
  [file, ...before]: readonly [string, ...string[]],
  words: readonly string[],
): Promise<string> {
  const child = spawn(file, [...before, ...words], {
    env: { A: 'b' },
    cwd: '/tmp',
    stdio: Array(REPORT + 1).fill('pipe'),
  });
  writer(child, 0).end('input\n');
  return await told(child, [1, 2]);
}

async function told(child: ChildProcess, streams: readonly number[]): Promise<string> {
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // All at once: what nobody reads by its end is thrown away.
  const report = buffer(reader(child, REPORT));
  const said = await Promise.all(streams.map((number) => text(reader(child, number))));
  return JSON.stringify([...said, (await report).toString('hex'), await exited]);
}

async function became([file, ...before]: readonly [string, ...string[]]): Promise<string> {
  const libc = openLibc();
  const [mine, its] = socketPair(libc);
  // The shell leaves it nothing but the socket, as whoever starts it for real does.
  const words = ['-c', 'exec "$@" 1>&- 2>&-', 'sh', file, ...before, '/bin/sh', '-c', 'echo it'];
  const child = spawn('/bin/sh', words, { env: {}, stdio: [its, 'ignore', 'ignore'] });
  closeSync(its);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { read, write } = libc.pipe();
  const nothing = openSync('/dev/null', 'r+');
  const wasSent = openSend(libc)(mine, [write, nothing, nothing]);
  for (const each of [write, nothing, mine]) closeSync(each);
  const output = await text(createReadStream('', { fd: read }));
  return JSON.stringify([wasSent, output, await exited]);
}

function writer({ stdio }: ChildProcess, number: number): Writable {
  const stream = stdio[number];
  if (stream === null || stream === undefined || !('end' in stream)) throw new TypeError('no pipe');
  return stream.on('error', () => {});
}

function reader({ stdio }: ChildProcess, number: number): Readable {
  const stream = stdio[number];
  if (stream === null || stream === undefined || !('read' in stream))
    throw new TypeError('no pipe');
  return stream;
}
