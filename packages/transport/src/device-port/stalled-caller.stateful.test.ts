import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Settings,
  connect as connectHttp2,
} from 'node:http2';
import type { Socket } from 'node:net';
import { endlessModel, quietLog } from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, type Served, converse, dial, openHouse, serve } from '../../testing/house.ts';
import { transportSection } from '../transport-section.ts';

const ANY_PORTS = { listen: '127.0.0.1:0', console: 'off' };

let house: House;
let stack: AsyncDisposableStack;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

/** Unary, streamed by us, and streamed by both, each in two ways to write it. */
const UNFINISHED = [
  ['HealthService/GetHealth', 'application/grpc+proto'],
  ['HealthService/GetHealth', 'application/json'],
  ['RunService/StartRun', 'application/grpc+proto'],
  ['RunService/StartRun', 'application/connect+json'],
  ['RunService/RunStream', 'application/grpc+proto'],
  ['RunService/RunStream', 'application/connect+json'],
] as const;
const HASTY = { request_ms: 1_000 } as const;

async function served(chosen: object) {
  const log = quietLog();
  const settings = transportSection.parse({ ...ANY_PORTS, ...chosen });
  return { log, ...(await serve(house, stack, { model: endlessModel('well'), log, settings })) };
}

/** A caller of its own on a connection of its own. */
async function caller(at: Served, settings: Settings = {}) {
  const socket = await dial(at, { ALPNProtocols: ['h2'] });
  const session = connectHttp2('https://x', { createConnection: () => socket, settings });
  session.on('error', () => {});
  stack.defer(() => session.destroy());
  return { session, socket };
}

function call(session: ClientHttp2Session, method: string, type = 'application/grpc+proto') {
  const headers = { ':method': 'POST', ':path': `/palyra.v1.${method}`, 'content-type': type };
  const stream = session.request({ ...headers, te: 'trailers' });
  stream.on('error', () => {});
  return stream;
}

function closed(stream: ClientHttp2Stream | Socket): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', () => resolve());
  });
}

describe('a caller that stops in the middle', () => {
  it('loses its call and its connection, whatever it called', async () => {
    const at = await served({ ...HASTY, max_connections: UNFINISHED.length * 4 });
    const { grpc, log } = at;
    const callers = UNFINISHED.map(async ([method, type]) => {
      const { session, socket } = await caller(at);
      call(session, method, type).write(Buffer.from([0, 0]));
      await closed(socket);
    });
    await Promise.all(callers);
    expect((await grpc.health.getHealth({})).activeRuns).toBe(0);
    expect(log.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('is told so on HTTP/1.1', async () => {
    const at = await served({ ...HASTY, headers_ms: 100 });
    const socket = await dial(at);
    socket.write('POST /palyra.v1.HealthService/GetHealth HTTP/1.1\r\nHost: x\r\n');
    socket.write('Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{}');
    expect(await converse(socket, '')).toContain('408 Request Timeout');
  });

  it('of a path that does not exist holds no place on its connection', async () => {
    const at = await served({ max_streams: 1 });
    const { session } = await caller(at);
    const stalled = call(session, 'Nothing/AtAll');
    stalled.write(Buffer.from([0, 0]));
    await closed(stalled.resume());
    const next = call(session, 'Nothing/AtAll');
    const [headers] = await once(next, 'response');
    expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '5' });
  });

  it('keeps the connection on which somebody still watches', async () => {
    const at = await served(HASTY);
    const { grpc } = at;
    const { session } = await caller(at);
    const watching = call(session, 'JournalService/TailJournal');
    watching.end(Buffer.from([0, 0, 0, 0, 2, 0x18, 1]));
    const stalled = call(session, 'HealthService/GetHealth');
    stalled.write(Buffer.from([0, 0]));
    await closed(stalled);
    expect([watching.closed, session.closed]).toEqual([false, false]);
    await grpc.health.getHealth({});
  });
});

describe('a caller that waits for us', () => {
  it('may keep its own half open for as long as its run takes', async () => {
    const at = await served(HASTY);
    const { grpc } = at;
    const { session } = await caller(at);
    const prompt = Buffer.from('talk');
    const start = Buffer.concat([
      Buffer.from([0x0a, prompt.length + 2, 0x0a, prompt.length]),
      prompt,
    ]);
    const steered = call(session, 'RunService/RunStream');
    steered.write(Buffer.concat([Buffer.from([0, 0, 0, 0, start.length]), start]));
    const stalled = call(session, 'RunService/RunStream');
    stalled.write(Buffer.from([0]));
    await closed(stalled);
    expect(steered.closed).toBe(false);
    expect((await grpc.health.getHealth({})).activeRuns).toBe(1);
  });

  it('may watch a journal in which nothing happens', async () => {
    const at = await served({ ...HASTY, idle_ms: 1_000 });
    const { grpc, http } = at;
    const news = [grpc, http].map((client) => {
      return client.journal.tailJournal({ follow: true })[Symbol.asyncIterator]().next();
    });
    // Somebody else is cut when the time is over, so the watchers have been quiet for longer.
    const { session, socket } = await caller(at, { initialWindowSize: 0 });
    call(session, 'HealthService/GetHealth').end(Buffer.from([0, 0, 0, 0, 0]));
    await closed(socket);
    await grpc.runs.startRun({ prompt: 'talk' })[Symbol.asyncIterator]().next();
    expect((await Promise.all(news)).map(({ done }) => done)).toEqual([false, false]);
  });

  it('and never reads over HTTP/1.1 loses its connection', async () => {
    const at = await served({ idle_ms: 1_000 });
    const { grpc } = at;
    const prompt = 'x'.repeat(250_000);
    for (let count = 0; count < 48; count += 1) {
      await grpc.runs.startRun({ prompt })[Symbol.asyncIterator]().next();
    }
    const socket = (await dial(at)).pause();
    const lost = new Promise((resolve) => void socket.once('error', resolve));
    socket.write('POST /palyra.v1.JournalService/ExportJournal HTTP/1.1\r\nHost: x\r\n');
    socket.write(
      'Content-Type: application/connect+json\r\nContent-Length: 7\r\n\r\n\0\0\0\0\u0002{}',
    );
    // Who does not read notices only when it writes.
    const knocking = setInterval(() => socket.write('\r\n'), 20);
    stack.defer(() => clearInterval(knocking));
    expect(await lost).toMatchObject({ syscall: 'write' });
  });

  it('and never reads loses its call and its connection', async () => {
    const methods = [
      'HealthService/GetHealth',
      'RunService/StartRun',
      'JournalService/ExportJournal',
    ];
    const at = await served({ idle_ms: 1_000, max_connections: methods.length * 4 });
    const { grpc } = at;
    const callers = methods.map(async (method) => {
      const { session, socket } = await caller(at, { initialWindowSize: 0 });
      call(session, method).end(Buffer.from([0, 0, 0, 0, 0]));
      await closed(socket);
    });
    await Promise.all(callers);
    expect((await grpc.health.getHealth({})).activeRuns).toBe(0);
  });
});
