import { closeSync, existsSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { Child } from './handed-streams.ts';
import { openLibc } from './libc.ts';
import { openSpawn } from './posix-spawn.ts';
import { type StandIn, openStandIns } from './stand-in.ts';
import { standInElf } from './starter/stand-in-elf.ts';
import { sealProgram } from './tier-b-process/starter-file.ts';

const libc = openLibc();
const start = openStandIns(libc, openSpawn());
// As whoever makes sandboxes does once.
libc.closeOnExecFrom(3);
const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
const program = sealProgram(libc, standInElf(machine, undefined));
afterAll(() => closeSync(program));

const STREAMS = { stdio: ['ignore', 'pipe', 'ignore', 'pipe'], lifeline: 3 } as const;

function standIn(...words: readonly string[]): StandIn {
  const started = start({ program, words });
  if (started === undefined) throw new Error('the kernel started none');
  return started;
}

function readable({ stdio }: Child, number: number): Readable {
  const stream = stdio[number];
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('no stream');
  return stream;
}

async function says(script: string): Promise<string> {
  await using waiting = standIn('/bin/sh', '-c', script);
  const child = waiting.become(STREAMS);
  if (child === undefined) throw new Error('it did not become anything');
  readable(child, STREAMS.lifeline).resume();
  const said = await text(readable(child, 1));
  await child.hasEnded;
  return said;
}

/** As the kernel tells: it waits for a message, and for nothing else. */
const isWaiting = ({ pid }: StandIn) => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') S ');

describe('somebody who waits to become a program', () => {
  it('becomes it, with what it was given under its numbers and nothing else', async () => {
    const descriptors = await says(
      'for each in /proc/$$/fd/*; do test -e $each && echo ${each##*/} $(readlink $each); done; true',
    );
    const lines = descriptors.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['0', '1', '2', '3']);
    expect(lines[0]).toBe('0 /dev/null');
    expect(lines[2]).toBe('2 /dev/null');
    expect(await says('tr "\\0" "\\n" < /proc/$$/environ')).toBe('');
  });

  it('is the same process before and after', async () => {
    await using waiting = standIn('/bin/sh', '-c', 'echo $$');
    await expect.poll(() => isWaiting(waiting)).toBe(true);
    const child = waiting.become(STREAMS);
    expect(child?.pid).toBe(waiting.pid);
    if (child === undefined) return;
    readable(child, STREAMS.lifeline).resume();
    expect(await text(readable(child, 1))).toBe(`${waiting.pid}\n`);
    await child.hasEnded;
    expect(existsSync(`/proc/${waiting.pid}`)).toBe(false);
  });

  it('ends when nobody wants it any more', async () => {
    const waiting = standIn('/bin/true');
    await waiting[Symbol.asyncDispose]();
    expect(existsSync(`/proc/${waiting.pid}`)).toBe(false);
    expect(waiting.become(STREAMS)).toBeUndefined();
  });

  it('becomes nothing once it was ended, and leaves nothing behind', async () => {
    await using waiting = standIn('/bin/true');
    process.kill(waiting.pid, 'SIGKILL');
    await expect
      .poll(() => readFileSync(`/proc/${waiting.pid}/stat`, 'utf8').includes(') Z '))
      .toBe(true);
    expect(waiting.become(STREAMS)).toBeUndefined();
    await waiting[Symbol.asyncDispose]();
    expect(existsSync(`/proc/${waiting.pid}`)).toBe(false);
  });

  it('takes as many as the kernel hands over at once, and says so of more', async () => {
    const many = (count: number) =>
      ({
        stdio: [...STREAMS.stdio, ...Array.from({ length: count - 4 }, () => 'ignore' as const)],
        lifeline: STREAMS.lifeline,
      }) as const;
    await using waiting = standIn('/bin/sh', '-c', 'ls /proc/$$/fd | wc -l');
    expect(waiting.become(many(254))).toBeUndefined();
    const child = waiting.become(many(253));
    if (child === undefined) throw new Error('it did not become anything');
    readable(child, STREAMS.lifeline).resume();
    // The shell keeps one more for its own.
    expect(Number(await text(readable(child, 1)))).toBeGreaterThanOrEqual(253);
    await child.hasEnded;
  });
});
