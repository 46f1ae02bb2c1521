import { create } from '@bufbuild/protobuf';
import { PalyraError, permissionsOf } from '@palyra/kernel';
import { FileChangeSchema, PrincipalKind, UndoOutcome, Role } from '@palyra/protocol';
import { endlessModel, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { UndoPort } from '../ports.ts';
import { draftOf } from './run-note.ts';
import type { UndoCaller } from './undo.ts';

const ada = {
  principal: 'user:ada',
  actor: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  channel: 'cli',
} as const;
const caller: UndoCaller = ada;
const never = new AbortController().signal;

interface Trouble {
  /** Fails when it comes to it, and not before. */
  readonly stuck?: string;
  /** Fail when all that is left is to write them. */
  readonly full?: Set<string>;
}

/** Files as words for what they hold. */
function wordFiles(now: Map<string, string>, { stuck, full }: Trouble = {}): UndoPort {
  return {
    look: async ({ path, beforeSha256, afterSha256 }) => {
      if (now.get(path) === beforeSha256) return { kind: 'unchanged' };
      if (now.get(path) === afterSha256) return { kind: 'can-restore' };
      return { kind: 'refused', error: new PalyraError('CONFLICT', 'changed since') };
    },
    restore: async ({ path, beforeSha256, afterSha256 }, onChange) => {
      if (path === stuck) return new PalyraError('CONFLICT', 'changed while others were restored');
      const made = { path, beforeSha256: afterSha256, afterSha256: beforeSha256 };
      await onChange(create(FileChangeSchema, made));
      if (full?.has(path) === true) return new PalyraError('TOOL_FAILED', 'the disk is full');
      now.set(path, beforeSha256);
      return undefined;
    },
    tidy: async () => {},
  };
}

async function changed(undo: UndoPort, paths: readonly string[]) {
  const test = await testGateway({ undo });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  await Array.fromAsync(run.events(never));
  const drafts = paths.map((path) => {
    const message = create(FileChangeSchema, { path, beforeSha256: 'old', afterSha256: 'new' });
    return draftOf(run, { kind: 'file.changed', actor: 'agent', message });
  });
  await test.journal.append(drafts);
  return { test, runId: run.runId };
}

describe('an undo', () => {
  it('takes back what it has done when a later file fails, and all of that is on record', async () => {
    const now = new Map(['a', 'b', 'c'].map((path) => [path, 'new']));
    const { test, runId } = await changed(wordFiles(now, { stuck: 'a' }), ['a', 'b', 'c']);
    await using _closed = test;
    expect(await test.gateway.undoRun({ runId }, caller)).toMatchObject([
      { path: 'c', outcome: UndoOutcome.HELD_BACK },
      { path: 'b', outcome: UndoOutcome.HELD_BACK },
      { path: 'a', outcome: UndoOutcome.REFUSED },
    ]);
    expect([...now.values()]).toEqual(['new', 'new', 'new']);
    const entries = await test.journal.page({ after: 0, limit: 100, runId });
    const restored = entries.filter(({ kind }) => kind === 'file.restored');
    expect(restored.map(({ payload }) => [payload['path'], payload['afterSha256']])).toEqual([
      ['c', 'old'],
      ['b', 'old'],
      ['b', 'new'],
      ['c', 'new'],
    ]);
  });

  it('of what is on record as taken back, and is not, takes it back', async () => {
    const now = new Map(['a', 'b'].map((path) => [path, 'new']));
    const full = new Set(['a']);
    const { test, runId } = await changed(wordFiles(now, { full }), ['a', 'b']);
    await using _closed = test;
    const first = await test.gateway.undoRun({ runId }, caller);
    expect(first).toMatchObject([{ outcome: UndoOutcome.HELD_BACK }, { path: 'a' }]);
    expect([...now.values()]).toEqual(['new', 'new']);
    full.clear();
    const restored = { outcome: UndoOutcome.RESTORED, beforeSha256: 'old' };
    expect(await test.gateway.undoRun({ runId }, caller)).toMatchObject([restored, restored]);
    expect([...now.values()]).toEqual(['old', 'old']);
    const unchanged = { outcome: UndoOutcome.UNCHANGED };
    expect(await test.gateway.undoRun({ runId }, caller)).toMatchObject([unchanged, unchanged]);
  });

  it('waits for one that is under way, and finds nothing left to do', async () => {
    const now = new Map(['a', 'b'].map((path) => [path, 'new']));
    const { test, runId } = await changed(wordFiles(now), ['a', 'b']);
    await using _closed = test;
    const all = await Promise.all([1, 2, 3].map(() => test.gateway.undoRun({ runId }, caller)));
    const { RESTORED, UNCHANGED } = UndoOutcome;
    expect(all.map((files) => files.map(({ outcome }) => outcome))).toEqual([
      [RESTORED, RESTORED],
      [UNCHANGED, UNCHANGED],
      [UNCHANGED, UNCHANGED],
    ]);
  });

  it('shows up for those who watch the run', async () => {
    const { test, runId } = await changed(wordFiles(new Map([['a', 'new']])), ['a']);
    await using _closed = test;
    await test.gateway.undoRun({ runId }, caller);
    const events = await Array.fromAsync(
      test.gateway.runs.watch({ runId, after: 0 }, caller, never),
    );
    expect(events.at(-1)?.event).toMatchObject({ case: 'fileChanged', value: { path: 'a' } });
  });

  it('waits for nobody: a run that goes on is refused', async () => {
    await using test = await testGateway({ model: endlessModel('well') });
    const { runId } = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await expect(test.gateway.undoRun({ runId }, caller)).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    });
  });

  it('of a call that the run never made is refused, and gives nothing back', async () => {
    const now = new Map([['a', 'new']]);
    const { test, runId } = await changed(wordFiles(now), ['a']);
    await using _closed = test;
    const callId = test.parts.ids.next<'call'>();
    await expect(test.gateway.undoRun({ runId, callId }, caller)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(now.get('a')).toBe('new');
  });

  it('of a run that is not there is refused', async () => {
    await using test = await testGateway();
    const runId = test.parts.ids.next<'run'>();
    await expect(test.gateway.undoRun({ runId }, caller)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
