import { EventEmitter } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { ApprovalStatus, GrantScope, type RunEvent, RunEventSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { VIEW, shownApproval } from '../testing/approval.ts';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { ApprovalAttendance, type AttendanceParts } from './approval-attendance.ts';

function changed(status: ApprovalStatus): RunEvent {
  const value = { approvalId: 'APPROVAL', status };
  return create(RunEventSchema, { runId: 'RUN', event: { case: 'approvalChanged', value } });
}

/** What takes a line away that replaces itself. */
const CLEAR = '\r\u001b[K';

const pending = changed(ApprovalStatus.PENDING);

interface Scene {
  /** What is pressed, one key after another, as soon as each is waited for. */
  readonly keys?: readonly string[];
  readonly why?: string;
  readonly parts?: Partial<AttendanceParts>;
}

/** Somebody at a terminal, or nobody. */
function scene({ keys, why, parts = {} }: Scene) {
  const { terminal, stdout, stderr } = recordedTerminal({ columns: 80 });
  const ticks: (() => void)[] = [];
  let now = VIEW.now;
  const pass = (seconds: number) => {
    now = new Date(now.getTime() + 1000 * seconds);
    for (const tick of ticks) tick();
  };
  const given: unknown[] = [];
  const waiting = Promise.withResolvers<void>();
  const left = [...(keys ?? [])];
  const events = new EventEmitter<{ data: [Uint8Array] }>();
  const keyboard = {
    setRawMode: () => {},
    resume: () => waiting.resolve(),
    pause: () => {},
    on: (_event: 'data', listener: (bytes: Uint8Array) => void) => events.on('data', listener),
    off: (_event: 'data', listener: (bytes: Uint8Array) => void) => events.off('data', listener),
  };
  const press = () => {
    const key = left.shift();
    if (key !== undefined) setImmediate(() => events.emit('data', Buffer.from(key)));
    return Promise.resolve();
  };
  const attendance = new ApprovalAttendance({
    terminal,
    read: async () => shownApproval(),
    answer: async (answer) => void given.push(answer),
    view: async () => VIEW,
    person:
      keys === undefined
        ? undefined
        : {
            keys: { keyboard, clock: { now: () => now, sleep: press }, interrupt: () => {} },
            askWhy: async () => why,
            everySecond: (act) => {
              ticks.push(act);
              return { [Symbol.dispose]: () => void ticks.pop() };
            },
          },
    ...parts,
  });
  return { attendance, given, stdout, stderr, pass, isAsked: waiting.promise };
}

async function attended(played: Scene) {
  const { attendance, ...rest } = scene(played);
  attendance.hear(pending);
  if (played.keys !== undefined) await rest.isAsked;
  while (played.keys !== undefined && rest.given.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await attendance.end();
  return rest;
}

const answer = { approvalId: 'APPROVAL', fingerprint: 'f00d' };

describe('a question in the middle of a run', () => {
  it('is shown, and y lets just this call run', async () => {
    const { given, stdout } = await attended({ keys: ['y'] });
    expect(stdout()).toContain("command    git push 'a b'");
    expect(given).toEqual([
      {
        ...answer,
        answer: ApprovalStatus.GRANTED,
        reason: '',
        scope: GrantScope.ONCE,
        shape: '',
        until: '',
        uses: 0,
      },
    ]);
  });

  it('counts the time that is left while it stands there', async () => {
    const { attendance, isAsked, stderr, pass } = scene({ keys: [] });
    attendance.hear(pending);
    await isAsked;
    expect(stderr()).toMatch(/4:50 left$/);
    pass(1);
    expect(stderr().split(CLEAR).at(-1)).toBe('4:49 left');
    pass(61);
    expect(stderr().split(CLEAR).at(-1)).toBe('3:48 left');
    await attendance.end();
    expect(stderr().split(CLEAR).at(-1)).toBe('');
    pass(1);
    expect(stderr()).not.toContain('3:47');
  });

  it('is answered for the session by s, for the narrowest shape', async () => {
    const { given } = await attended({ keys: ['x', 's'] });
    expect(given).toMatchObject([{ scope: GrantScope.SESSION, shape: 'exact' }]);
  });

  it('is denied by n, with the reason', async () => {
    const { given } = await attended({ keys: ['d', 'n'], why: 'not today' });
    expect(given).toMatchObject([
      { ...answer, answer: ApprovalStatus.DENIED, reason: 'not today' },
    ]);
  });

  it('is left to somebody else by q, with the commands that answer', async () => {
    const { attendance, given, stderr } = scene({ keys: ['q'] });
    attendance.hear(pending);
    while (!stderr().includes('`palyra approvals approve APPROVAL`')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await attendance.end();
    expect(given).toEqual([]);
  });

  it('is taken back when somebody else has answered', async () => {
    const { attendance, given, isAsked } = scene({ keys: [] });
    attendance.hear(pending);
    await isAsked;
    attendance.hear(changed(ApprovalStatus.GRANTED));
    await attendance.end();
    expect(given).toEqual([]);
  });

  it('is told in one line with both commands where nobody can be asked', async () => {
    const { attendance, stderr, stdout } = scene({});
    attendance.hear(pending);
    await new Promise((resolve) => setImmediate(resolve));
    await attendance.end();
    expect(stdout()).toBe('');
    expect(stderr()).toBe(
      'it waits until 2026-01-01 00:05:00 UTC: `palyra approvals approve APPROVAL` or `palyra approvals deny APPROVAL --reason "…"`\n',
    );
  });

  it('that cannot be read here ends nothing', async () => {
    const read = () => Promise.reject(new PalyraError('PERMISSION_DENIED', 'not for you'));
    const { attendance, stderr } = scene({ parts: { read } });
    attendance.hear(pending);
    await new Promise((resolve) => setImmediate(resolve));
    await attendance.end();
    expect(stderr()).toMatch(/^not for you; /);
  });
});
