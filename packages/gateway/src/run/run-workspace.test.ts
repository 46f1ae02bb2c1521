import { create } from '@bufbuild/protobuf';
import { createIds, systemClock } from '@palyra/kernel';
import { SessionSchema, WorkspaceFolderSchema } from '@palyra/protocol';
import { workspaceCalled } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { placeToResume, placeToStart } from './run-workspace.ts';

const runId = createIds(systemClock()).next<'run'>();
const here = workspaceCalled('/one', '1:2');
const sessionIn = (workspace: string) => create(SessionSchema, { sessionId: 'S', workspace });
const then = (path: string, number: string) => create(WorkspaceFolderSchema, { path, number });

describe('where a run works', () => {
  it.each([
    ['the gateway’s own folder when nobody names one', '', undefined],
    ['the folder that is named', '/one', undefined],
    ['the folder of its session', '', sessionIn('/one')],
    ['the folder of its session, also when that is named', '/one', sessionIn('/one')],
    ['the gateway’s own folder in a session of before there were any', '', sessionIn('')],
  ])('is %s', (_what, named, session) => {
    expect(placeToStart({ named, session }, here)).toBe('/one');
  });

  it.each([
    ['a folder that nobody may work in', '/two', undefined],
    ['another folder than its session’s', '/two', sessionIn('/one')],
    ['a session of a folder that nobody may work in any more', '', sessionIn('/two')],
  ])('is never %s', (_what, named, session) => {
    expect(() => placeToStart({ named, session }, here)).toThrow();
  });

  it('names both folders to whoever mixes up two sessions', () => {
    const both = { ...here, choose: (named: string) => named || '/one' };
    const wanted = { named: '/two', session: sessionIn('/one') };
    expect(() => placeToStart(wanted, both)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: 'session `S` works in `/one`, not in `/two`',
      }),
    );
  });
});

describe('where a run goes on', () => {
  it('is the very folder in which it was started', () => {
    expect(placeToResume(runId, then('/one', '1:2'), here)).toBe('/one');
  });

  it.each([
    ['another folder', then('/two', '1:2')],
    ['one that was replaced', then('/one', '1:3')],
    ['one that nobody wrote down', undefined],
  ])('is never %s', (_what, folder) => {
    expect(() => placeToResume(runId, folder, here)).toThrow(
      expect.objectContaining({ code: 'RUN_NOT_RESUMABLE' }),
    );
  });
});
