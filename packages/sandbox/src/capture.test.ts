import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { capture } from './capture.ts';

function streams() {
  return { stdout: new PassThrough(), stderr: new PassThrough() };
}

describe('capture', () => {
  it('keeps both streams apart, and hands on what comes', async () => {
    const both = streams();
    const heard: string[] = [];
    const captured = capture(both, {
      maxBytes: 100,
      onOutput: (name, bytes) => heard.push(`${name}:${Buffer.from(bytes).toString()}`),
    });
    both.stdout.end('out');
    both.stderr.end('err');
    expect(await captured.ended).toBe('ended');
    const { stdout, stderr } = captured.take();
    expect(Buffer.from(stdout.bytes).toString()).toBe('out');
    expect(Buffer.from(stderr.bytes).toString()).toBe('err');
    expect([stdout.isTruncated, stderr.isTruncated]).toEqual([false, false]);
    expect(heard.toSorted()).toEqual(['stderr:err', 'stdout:out']);
  });

  it('is at its end at once where both streams were closed before', async () => {
    const both = streams();
    for (const stream of [both.stdout, both.stderr]) stream.destroy();
    await Promise.all([once(both.stdout, 'close'), once(both.stderr, 'close')]);
    expect(await capture(both, { maxBytes: 5, onOutput: () => {} }).ended).toBe('ended');
  });

  it('stops at the cap of both together, and says which was cut', async () => {
    const both = streams();
    const captured = capture(both, { maxBytes: 5, onOutput: () => {} });
    both.stderr.write('abc');
    both.stdout.write('defg');
    expect(await captured.ended).toBe('full');
    const { stdout, stderr } = captured.take();
    expect(stdout.bytes.length + stderr.bytes.length).toBe(5);
    expect(stdout.isTruncated !== stderr.isTruncated).toBe(true);
  });

  it('is not full when exactly the cap was written', async () => {
    const both = streams();
    const captured = capture(both, { maxBytes: 4, onOutput: () => {} });
    both.stdout.end('abcd');
    both.stderr.end();
    expect(await captured.ended).toBe('ended');
    expect(captured.take().stdout.isTruncated).toBe(false);
  });

  it('takes a stream that fails for one that has ended', async () => {
    const both = streams();
    const captured = capture(both, { maxBytes: 4, onOutput: () => {} });
    both.stdout.write('ab');
    both.stderr.end();
    setImmediate(() => both.stdout.destroy(new Error('broken')));
    expect(await captured.ended).toBe('ended');
    expect(captured.take().stdout.bytes).toEqual(new Uint8Array(Buffer.from('ab')));
  });
});
