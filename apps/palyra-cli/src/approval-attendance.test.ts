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

const pending = changed(ApprovalStatus.PENDING);

interface Scene {
  /** What is pressed, one key after another, as soon as each is waited for. */
  readonly keys?: readonly string[];
  readonly why?: string;
  readonly parts?: Partial<AttendanceParts>;
}

/** Somebody at a terminal, or nobody. */
function scene({ keys, why, parts = {} }: Scene) {
  const { terminal, stdout, stderr } = recordedTerminal();
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
            keys: { keyboard, clock: { now: () => VIEW.now, sleep: press }, interrupt: () => {} },
            askWhy: async () => why,
          },
    ...parts,
  });
  return { attendance, given, stdout, stderr, isAsked: waiting.promise };
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
