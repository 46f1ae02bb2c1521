import { closeSync, fstatSync, mkdtempDisposableSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openLibc } from '../libc.ts';
import { orderer } from './orderer.ts';

const libc = openLibc();
const ORDER = Buffer.from('with a secret');

describe('an order', () => {
  it('reaches who waits for it', async () => {
    const { read, write } = libc.pipe();
    const ended = Promise.withResolvers<void>();
    orderer({ hasEnded: ended.promise }, write)(ORDER);
    ended.resolve();
    const reader = new Socket({ fd: read, readable: true, writable: false });
    expect(await buffer(reader)).toEqual(ORDER);
  });

  it('that is longer than what the kernel keeps reaches who waits for it, to its end', async () => {
    const { read, write } = libc.pipe();
    const long = Buffer.alloc(1024 * 1024, 'secret');
    orderer({ hasEnded: new Promise(() => {}) }, write)(long);
    const reader = new Socket({ fd: read, readable: true, writable: false });
    expect((await buffer(reader)).equals(long)).toBe(true);
  });

  it('for somebody who has ended reaches nobody, least of all who has that number now', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'palyra-order-'));
    const file = join(folder.path, 'of-somebody-else');
    const { read, write } = libc.pipe();
    closeSync(read);
    const hasEnded = Promise.resolve();
    const handOver = orderer({ hasEnded }, write);
    await new Promise((resolve) => setImmediate(resolve));
    const taken = Array.from({ length: 64 }, () => openSync(file, 'a'));
    expect(taken).toContain(write);
    handOver(ORDER);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fstatSync(write).size).toBe(0);
    for (const descriptor of taken) closeSync(descriptor);
  });
});
