import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ErrorCode,
  type RunCommandSchema,
  type RunEvent,
  RunStatus,
  Readiness as WireReadiness,
} from '@palyra/protocol';
import { endlessModel, quietLog } from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type House,
  askDevicePort,
  converse,
  dial,
  openHouse,
  serve,
} from '../../testing/house.ts';
import { createReadiness } from '../readiness.ts';
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

describe('the device port', () => {
  it('answers gRPC, Connect with JSON, and plain HTTP', async () => {
    const asked = await serve(house, stack);
    const { grpc, http } = asked;
    expect((await grpc.health.getHealth({})).readiness).toBe(WireReadiness.READY);
    expect((await http.health.getHealth({})).readiness).toBe(WireReadiness.READY);
    expect(await askDevicePort(asked, '/healthz')).toMatchObject({ status: 200, body: 'ok' });
  });

  it.each(['grpc', 'http'] as const)('streams a run over %s', async (wire) => {
    const { [wire]: client } = await serve(house, stack);
    const events = await Array.fromAsync(client.runs.startRun({ prompt: 'hi' }), caseOf);
    expect(events.filter((event) => event !== 'textDelta')).toEqual([
      'runStarted',
      'modelMessage',
      'runEnded',
    ]);
  });

  it.each(['grpc', 'http'] as const)('gives faults their names back over %s', async (wire) => {
    const { [wire]: client } = await serve(house, stack);
    await expect(client.runs.getRun({ runId: 'x' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('is not the id of any run'),
    });
    await expect(client.journal.getEntry({ id: '99' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(client.approvals.getApproval({ approvalId: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(['grpc', 'http'] as const)('refuses a message over the limit on %s', async (wire) => {
    const settings = transportSection.parse({ ...ANY_PORTS, max_message_bytes: 4_194_304 });
    const { [wire]: client } = await serve(house, stack, { settings });
    const prompt = 'x'.repeat(5_000_000);
    await expect(Array.fromAsync(client.runs.startRun({ prompt }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'the message is larger than allowed',
    });
    expect((await client.health.getHealth({})).activeRuns).toBe(0);
  });

  it.each(['grpc', 'http'] as const)('lists runs with long prompts over %s', async (wire) => {
    const { [wire]: client } = await serve(house, stack);
    const prompt = `${'x'.repeat(498)}🙂${'y'.repeat(261_000)}`;
    for (let count = 0; count < 40; count += 1)
      await Array.fromAsync(client.runs.startRun({ prompt }));
    const { runs } = await client.runs.listRuns({});
    expect(runs).toHaveLength(40);
    expect(runs[0]?.prompt).toBe(`${'x'.repeat(498)}🙂…`);
    const whole = await client.runs.getRun({ runId: runs[0]?.runId ?? '' });
    expect(whole.run?.prompt).toBe(prompt);
  });

  it('reads the journal as it was written', async () => {
    const { grpc, test } = await serve(house, stack);
    await Array.fromAsync(grpc.runs.startRun({ prompt: 'hi' }));
    const records = await Array.fromAsync(grpc.journal.tailJournal({ last: 2 }));
    const kept = await test.journal.page({ after: test.journal.tip().sequence - 2, limit: 2 });
    expect(records.map(({ hash }) => hash)).toEqual(kept.map(({ hash }) => hash));
    expect(Buffer.from(records[0]?.canonical ?? [])).toEqual(Buffer.from(kept[0]?.canonical ?? []));
    const lines = await Array.fromAsync(grpc.journal.exportJournal({}));
    expect(lines.length).toBe(test.journal.tip().sequence + 2);
  });
});

describe('a steered run', () => {
  it('is cancelled on its own stream', async () => {
    const { grpc } = await serve(house, stack, { model: endlessModel('well') });
    const told = Promise.withResolvers<string>();
    async function* commands(): AsyncGenerator<MessageInitShape<typeof RunCommandSchema>> {
      yield { command: { case: 'start', value: { prompt: 'talk' } } };
      yield { command: { case: 'cancel', value: { runId: await told.promise } } };
    }
    const events: RunEvent[] = [];
    for await (const event of grpc.runs.runStream(commands())) {
      events.push(event);
      told.resolve(event.runId);
    }
    expect(events.at(-1)?.event).toMatchObject({
      case: 'runEnded',
      value: { status: RunStatus.CANCELLED },
    });
  });

  it('goes on when its caller goes away', async () => {
    const { grpc, test } = await serve(house, stack, { model: endlessModel('well') });
    const leaving = new AbortController();
    const watching = Array.fromAsync(
      grpc.runs.startRun({ prompt: 'talk' }, { signal: leaving.signal }),
      () => leaving.abort(),
    );
    await expect(watching).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(test.gateway.runs.activeCount).toBe(1);
  });

  it('cannot be opened by a command that only steers', async () => {
    const { grpc } = await serve(house, stack);
    async function* commands(): AsyncGenerator<MessageInitShape<typeof RunCommandSchema>> {
      yield { command: { case: 'cancel', value: { runId: 'x' } } };
    }
    await expect(Array.fromAsync(grpc.runs.runStream(commands()))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('ends its stream, not the run, on a command that makes no sense', async () => {
    const { grpc, test } = await serve(house, stack, { model: endlessModel('well') });
    async function* commands(): AsyncGenerator<MessageInitShape<typeof RunCommandSchema>> {
      yield { command: { case: 'start', value: { prompt: 'talk' } } };
      yield { command: { case: 'start', value: { prompt: 'talk again' } } };
    }
    await expect(Array.fromAsync(grpc.runs.runStream(commands()))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(test.gateway.runs.activeCount).toBe(1);
  });
});

describe('readiness', () => {
  it('is told by /readyz together with the delay of the event loop', async () => {
    const readiness = createReadiness();
    const served = await serve(house, stack, { readiness });
    const starting = await askDevicePort(served, '/readyz');
    readiness.markReady();
    const ready = await askDevicePort(served, '/readyz');
    readiness.markDraining();
    const draining = await askDevicePort(served, '/readyz');
    expect([starting.status, ready.status, draining.status]).toEqual([503, 200, 503]);
    expect(JSON.parse(ready.body)).toEqual({
      readiness: 'ready',
      eventLoopDelayMs: { p50: 0.5, p99: 1.5 },
    });
  });

  it('names the fault that the daemon cannot get over', async () => {
    const readiness = createReadiness();
    readiness.markReady();
    const served = await serve(house, stack, { readiness });
    const { grpc } = served;
    readiness.markFailed('JOURNAL_UNWRITABLE');
    const { status, body } = await askDevicePort(served, '/readyz');
    expect({ status, ...JSON.parse(body) }).toMatchObject({
      status: 503,
      readiness: 'failed',
      code: 'JOURNAL_UNWRITABLE',
    });
    expect(await grpc.health.getHealth({})).toMatchObject({
      readiness: WireReadiness.FAILED,
      fault: {
        code: ErrorCode.JOURNAL_UNWRITABLE,
        message: 'the journal cannot be written, so no tool runs',
        help: 'free disk space or mend the disk, then start the daemon again',
      },
    });
  });

  it('lets nothing but health through before it is there', async () => {
    const { grpc } = await serve(house, stack, { readiness: createReadiness() });
    await expect(grpc.runs.listRuns({})).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
    expect((await grpc.health.getHealth({})).readiness).toBe(WireReadiness.STARTING);
  });
});

describe('plain http', () => {
  it('answers a head without a body', async () => {
    const served = await serve(house, stack);
    expect(await askDevicePort(served, '/healthz', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    });
  });

  it('has nothing on other paths, and nothing to write to', async () => {
    const served = await serve(house, stack);
    for (const [target, method] of [
      ['/', 'GET'],
      ['/healthz/', 'GET'],
      ['/%zz', 'GET'],
      ['/healthz', 'POST'],
    ] as const) {
      const { status, body } = await askDevicePort(served, target, { method });
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('an unfriendly caller', () => {
  const settingsOf = (chosen: object) => transportSection.parse({ ...ANY_PORTS, ...chosen });

  it.each(['', 'P', '\u0016\u0003'])('that stops after `%s` is cut off', async (start) => {
    const settings = settingsOf({ handshake_ms: 100 });
    const { port } = await serve(house, stack, { settings });
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    if (start !== '') socket.write(start, 'latin1');
    socket.resume();
    await new Promise((resolve) => void socket.once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });

  it('that speaks garbage gets an answer and no more', async () => {
    const served = await serve(house, stack);
    const answer = await converse(await dial(served), '\u0000\u0001garbage\r\n\r\n');
    expect(answer).toContain('400 Bad Request');
  });

  it('that never ends its headers is cut off', async () => {
    const served = await serve(house, stack, { settings: settingsOf({ headers_ms: 100 }) });
    const answer = await converse(await dial(served), 'GET /healthz HTTP/1.1\r\nHost: x\r\n');
    expect(answer).toContain('408 Request Timeout');
  }, 60_000);

  it.each([
    ['grpc', 'http'],
    ['http', 'grpc'],
  ] as const)('that has one over %s too many hears so over %s', async (first, second) => {
    const log = quietLog();
    const served = await serve(house, stack, { settings: settingsOf({ max_connections: 1 }), log });
    await served[first].health.getHealth({});
    const fault = { code: 'RATE_LIMITED', message: 'too many connections of devices are open' };
    await expect(served[second].health.getHealth({})).rejects.toMatchObject(fault);
    expect(log.lines.map(({ message }) => message)).toContain(
      'too many connections, surplus ones were closed',
    );
  });

  it('that makes many calls at once over http keeps within what one device may hold', async () => {
    const settings = settingsOf({ max_connections: 4 * 32 });
    const { http } = await serve(house, stack, { settings });
    const calls = Array.from({ length: 200 }, () => http.health.getHealth({}));
    expect(await Promise.all(calls)).toHaveLength(200);
  });

  it('that never ends its half of a stream loses its place on the connection', async () => {
    const settings = settingsOf({ max_streams: 1 });
    const { grpc } = await serve(house, stack, { settings });
    async function* commands(): AsyncGenerator<MessageInitShape<typeof RunCommandSchema>> {
      yield { command: { case: 'start', value: { prompt: 'hi' } } };
      await new Promise(() => {});
    }
    await Array.fromAsync(grpc.runs.runStream(commands()));
    expect((await grpc.health.getHealth({})).activeRuns).toBe(0);
  });

  it('that asks http/2 for an unknown path is told so', async () => {
    const served = await serve(house, stack);
    const socket = await dial(served, { ALPNProtocols: ['h2'] });
    const session = connectHttp2('https://x', { createConnection: () => socket });
    const stream = session.request({ ':path': '/nothing' });
    const status = await new Promise((resolve) => {
      stream.once('response', (headers) => resolve(headers[':status']));
    });
    session.close();
    expect(status).toBe(404);
  });
});

describe('stopping', () => {
  it('ends open calls with a reason and leaves no connection behind', async () => {
    const served = await serve(house, stack);
    const { grpc, http, doors } = served;
    await Array.fromAsync(grpc.runs.startRun({ prompt: 'hi' }));
    const followers = [grpc, http].map(async (client) => {
      for await (const record of client.journal.tailJournal({ follow: true })) {
        if (record.hash === '') return 'never';
      }
      return 'ended';
    });
    await askDevicePort(served, '/healthz');
    const ends = Promise.allSettled(followers);
    await doors[Symbol.asyncDispose]();
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'SHUTTING_DOWN' } });
    }
    await expect(grpc.health.getHealth({})).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
  });
});

function caseOf(event: RunEvent) {
  return event.event.case;
}
