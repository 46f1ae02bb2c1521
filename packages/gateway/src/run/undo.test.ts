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

/** Files as words for what they hold; `stuck` fails when it comes to it, and not before. */
function wordFiles(now: Map<string, string>, stuck?: string): UndoPort {
  return {
    look: async ({ path, afterSha256 }) =>
      now.get(path) === afterSha256
        ? { kind: 'can-restore' }
        : { kind: 'refused', error: new PalyraError('CONFLICT', 'changed since') },
    restore: async ({ path, beforeSha256, afterSha256 }, onChange) => {
      if (path === stuck) return new PalyraError('CONFLICT', 'changed while others were restored');
      const made = { path, beforeSha256: afterSha256, afterSha256: beforeSha256 };
      await onChange(create(FileChangeSchema, made));
      now.set(path, beforeSha256);
      return undefined;
    },
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
    const { test, runId } = await changed(wordFiles(now, 'a'), ['a', 'b', 'c']);
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
