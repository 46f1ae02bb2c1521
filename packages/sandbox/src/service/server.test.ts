import { EventEmitter } from 'node:events';
import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending } from '../model.ts';
import type { Sandboxes } from './sandboxes.ts';
import { serveSandboxes } from './server.ts';

const OPEN = {
  kind: 'open',
  opening: { folder: '/', version: 'test', warm: 0, warmTotal: 0, programs: [] },
};
const REQUEST = {
  tier: 'C',
  executable: 'yes',
  arguments: [],
  workspace: '/',
  directory: '.',
  environment: {},
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: '',
  session: '',
  policySetHash: '',
};

/** A channel whose other side takes messages only when told to. */
class Channel extends EventEmitter {
  readonly connected = true;
  readonly sent: Readonly<Record<string, unknown>>[] = [];
  readonly #held: (() => void)[] = [];
  isSlow = false;

  send(message: Readonly<Record<string, unknown>>, done: (error: Error | null) => void): boolean {
    this.sent.push(message);
    if (this.isSlow) this.#held.push(() => done(null));
    else done(null);
    return true;
  }

  takeAll(): void {
    this.isSlow = false;
    for (const take of this.#held.splice(0)) take();
  }

  kinds(): readonly unknown[] {
    return this.sent.map(({ kind }) => kind);
  }
}

function endingWith(stdout: Uint8Array<ArrayBuffer>): Ending {
  return {
    kind: 'exited',
    code: 0,
    stdout,
    stderr: new Uint8Array(),
    truncated: { stdout: false, stderr: false },
    outputSha256: sha256Hex(stdout),
    durationMs: 1,
    posture: {
      executor: 'test',
      namespaces: [],
      seccomp: '',
      memory: 'cgroup',
      egress: 'strict',
      hosts: [],
      isWarm: false,
      weaknesses: [],
    },
  };
}

function serve(run: Sandboxes['run']) {
  const channel = new Channel();
  let isDisposed = false;
  const refuse = () => Promise.reject(new Error('not asked for'));
  const sandboxes: Sandboxes = {
    run,
    expect: () => {},
    explain: refuse,
    prove: refuse,
    verdict: refuse,
    load: refuse,
    [Symbol.asyncDispose]: async () => {
      isDisposed = true;
    },
  };
  const served = serveSandboxes({ channel, open: async () => sandboxes });
  return { channel, served, isDisposed: () => isDisposed };
}

const never: Sandboxes['run'] = (_, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(endingWith(new Uint8Array())));
  });

describe('what serves sandboxes', () => {
  it.each([
    ['nothing that is known', { kind: 'shutdown' }],
    ['a word beside an order', { kind: 'prove', id: 1, now: true }],
    ['no order', 'run'],
    ['an answer to nothing', { kind: 'secret', id: 9, value: 'x' }],
    ['a yes to nothing', { kind: 'connection-answer', id: 9, isAllowed: true }],
    ['a second opening', OPEN],
    [
      'a request of a tier that is no process',
      { kind: 'run', id: 1, request: { ...REQUEST, tier: 'A' } },
    ],
  ])('ends, and with it whatever runs, when it is told %s', async (_, message) => {
    const { channel, served, isDisposed } = serve(never);
    channel.emit('message', OPEN);
    channel.emit('message', { kind: 'run', id: 7, request: REQUEST });
    channel.emit('message', message);
    await served;
    expect(isDisposed()).toBe(true);
    expect(channel.kinds()).toContain('ended');
  });

  it.each([true, false])(
    'asks its daemon about each connection, and believes a %s',
    async (isAllowed) => {
      const to = { host: 'site.example', port: 443, addresses: ['93.184.216.34'] };
      const { channel, served } = serve(async (_, { mayConnect }) => {
        const answer = String(await mayConnect(to));
        return endingWith(new TextEncoder().encode(answer));
      });
      channel.emit('message', OPEN);
      channel.emit('message', { kind: 'run', id: 7, request: REQUEST });
      const wanted = { kind: 'connection-wanted', id: 1, run: 7, to };
      await expect.poll(() => channel.sent).toContainEqual(wanted);
      channel.emit('message', { kind: 'connection-answer', id: 1, isAllowed });
      await expect.poll(() => channel.kinds()).toContain('ended');
      const { outputSha256 } = endingWith(new TextEncoder().encode(String(isAllowed)));
      expect(channel.sent.at(-1)).toMatchObject({ kind: 'ended', ending: { outputSha256 } });
      channel.emit('disconnect');
      await served;
    },
  );

  it('takes it for a no when its daemon goes without an answer', async () => {
    const answers: boolean[] = [];
    const to = { host: 'site.example', port: 443, addresses: ['93.184.216.34'] };
    const { channel, served } = serve(async (_, { mayConnect }) => {
      answers.push(await mayConnect(to));
      return endingWith(new Uint8Array());
    });
    channel.emit('message', OPEN);
    channel.emit('message', { kind: 'run', id: 7, request: REQUEST });
    await expect.poll(() => channel.kinds()).toContain('connection-wanted');
    channel.emit('disconnect');
    await served;
    expect(answers).toEqual([false]);
  });

  it('ends when its daemon is gone', async () => {
    const { channel, served, isDisposed } = serve(never);
    channel.emit('message', OPEN);
    channel.emit('message', { kind: 'run', id: 1, request: REQUEST });
    channel.emit('disconnect');
    await served;
    expect(isDisposed()).toBe(true);
  });

  it('obeys nobody before it was opened', async () => {
    const { channel, served } = serve(never);
    channel.emit('message', { kind: 'run', id: 1, request: REQUEST });
    await served;
    expect(channel.sent).toEqual([]);
  });

  it('holds back what a slow daemon does not take, and loses none of it', async () => {
    const whole = new Uint8Array(20 * 1024 * 1024).map((_, place) => place % 251);
    const { channel, served } = serve(async (_, { onOutput }) => {
      channel.isSlow = true;
      for (let at = 0; at < whole.length; at += 65_536)
        onOutput('stdout', whole.subarray(at, at + 65_536));
      return endingWith(whole);
    });
    channel.emit('message', OPEN);
    await new Promise<void>((resolve) => setImmediate(resolve));
    channel.emit('message', { kind: 'run', id: 1, request: REQUEST });
    await new Promise<void>((resolve) => setImmediate(resolve));
    const pending = piecesIn(channel).reduce((sum, piece) => sum + piece.length, 0);
    expect(pending).toBeLessThan(10 * 1024 * 1024);
    channel.takeAll();
    while (!channel.kinds().includes('ended'))
      await new Promise<void>((resolve) => setImmediate(resolve));
    expect(Buffer.concat(piecesIn(channel)).equals(whole)).toBe(true);
    channel.emit('message', { kind: 'close' });
    await served;
  });
});

function piecesIn(channel: Channel): readonly Uint8Array[] {
  return channel.sent.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? [bytes] : []));
}
