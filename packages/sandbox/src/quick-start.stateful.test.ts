import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Child } from './handed-streams.ts';
import { openLibc } from './libc.ts';
import { openSpawn } from './posix-spawn.ts';
import { openQuickStart } from './quick-start.ts';

const libc = openLibc();
const start = openQuickStart(libc, openSpawn());
// As whoever makes sandboxes does once.
libc.closeOnExecFrom(3);
const LIFELINE = 3;
const STDIO = ['ignore', 'pipe', 'ignore', 'pipe'] as const;

function shell(script: string): Child {
  return start({
    file: '/bin/sh',
    words: ['sh', '-c', script],
    stdio: STDIO,
    lifeline: LIFELINE,
  });
}

function readable({ stdio }: Child, number: number): Readable {
  const stream = stdio[number];
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('no stream');
  return stream;
}

async function says(script: string): Promise<string> {
  const child = shell(script);
  readable(child, LIFELINE).resume();
  const said = await text(readable(child, 1));
  await child.hasEnded;
  return said;
}

describe('a process that is started without a copy of ours', () => {
  it('has what it was given and nothing else', async () => {
    const descriptors = await says(
      'for each in /proc/$$/fd/*; do test -e $each && echo ${each##*/}; done; true',
    );
    expect(descriptors.trim().split('\n')).toEqual(['0', '1', '2', '3']);
    expect(await says('tr "\\0" "\\n" < /proc/$$/environ')).toBe('');
  });

  it('has the signals of a fresh one, and a session of its own', async () => {
    const fresh = '0000000000000000';
    const status = await says('grep -E "^Sig(Blk|Ign|Cgt)" /proc/$$/status | cut -f 2');
    expect(status.trim().split('\n').slice(0, 2)).toEqual([fresh, fresh]);
    expect(await says('test $$ = $(cut -d " " -f 6 /proc/$$/stat) && echo own')).toBe('own\n');
  });

  it('is reaped when it has ended, and met by no signal any more', async () => {
    const child = shell('exec sleep 600');
    readable(child, LIFELINE).resume();
    child.kill();
    await child.hasEnded;
    expect(existsSync(`/proc/${child.pid}`)).toBe(false);
    expect(() => child.kill()).not.toThrow();
  });

  it('leaves nobody behind who waits for a word of ours', async () => {
    const script = 'exec 5<&0; { echo; exec cat <&5; } >&4 3>&- & exec sleep 600 4>&- 5<&-';
    const child = start({
      file: '/bin/sh',
      words: ['sh', '-c', script],
      stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'],
      lifeline: LIFELINE,
    });
    readable(child, LIFELINE).resume();
    const left = readable(child, 4);
    await once(left, 'data');
    child.kill();
    await child.hasEnded;
    await once(left, 'close');
    expect(left.readableEnded).toBe(true);
  });

  it('is none, with a reason, where there is no such program', () => {
    const missing = { file: '/no/such', words: ['none'], stdio: STDIO, lifeline: LIFELINE };
    expect(() => start(missing)).toThrow('started no process');
  });

  it('reads and is read on one descriptor', async () => {
    const child = start({
      file: '/bin/cat',
      words: ['cat'],
      stdio: ['pipe', 'pipe', 'ignore'],
      lifeline: 1,
    });
    const [input] = child.stdio;
    if (input === null || input === undefined || !('end' in input)) throw new Error('no input');
    input.end('hello');
    const said = await text(readable(child, 1));
    await child.hasEnded;
    expect(said).toBe('hello');
  });
});
