import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ModelEvent,
  type PolicyPort,
  type RunAsker,
  type UndoCaller,
  type UndoPort,
  createGateway,
} from '@palyra/gateway';
import { PalyraError, type RunId, parseId, permissionsOf } from '@palyra/kernel';
import { DecisionKind, PrincipalKind, Role, UndoOutcome } from '@palyra/protocol';
import { policyThatSays, talkingModel, testGateway } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realFilesIn } from './real-files.fixture.ts';

let home = '';
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'palyra-undo-')));
  await mkdir(join(home, 'workspace'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const never = new AbortController().signal;
const at = (name: string) => join(home, 'workspace', name);
const textOf = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);
const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;

const ada: RunAsker & UndoCaller = {
  principal: 'user:ada',
  actor: 'user:ada via device:laptop',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  member: { userId: 'ada', name: 'ada', role: Role.OPERATOR },
  channel: 'cli',
  deviceId: 'laptop',
};
const person = (principal: string, role: Role): UndoCaller => ({
  principal,
  actor: principal,
  kind: PrincipalKind.USER,
  permissions: permissionsOf(role),
  member: { userId: principal, name: principal, role },
  channel: 'cli',
});

function write(path: string, content: string): ModelEvent {
  const argumentsJson = JSON.stringify({ path, content, mode: 'replace' });
  return { kind: 'tool-call', tool: 'fs.write', argumentsJson };
}

function create(path: string, content: string): ModelEvent {
  const argumentsJson = JSON.stringify({ path, content, mode: 'create', folders: 'create' });
  return { kind: 'tool-call', tool: 'fs.write', argumentsJson };
}

function remove(path: string, line: string): ModelEvent {
  const patch = `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;
  return { kind: 'tool-call', tool: 'fs.patch', argumentsJson: JSON.stringify({ patch }) };
}

/** A run whose model made these calls, one a turn, and has ended. */
async function worked(...calls: readonly ModelEvent[]) {
  const real = await testGateway({ rules: 'ask' });
  const touch: PolicyPort['touch'] = (...asked) => real.parts.policy.touch(...asked);
  const test = await testGateway({
    model: talkingModel(...calls.map((call) => [call]), []),
    policy: { ...policyThatSays({ kind: DecisionKind.ALLOW }), touch },
    ...realFilesIn(home),
  });
  const run = await test.gateway.runs.start({ prompt: 'work' }, ada);
  const events = await Array.fromAsync(run.events(never));
  const callIds = events.flatMap(({ event }) =>
    event.case === 'toolFinished' ? [event.value.callId] : [],
  );
  const undo = (callId?: string, caller: UndoCaller = ada) => {
    const call = callId === undefined ? undefined : parseId<'call'>(callId);
    const request = { runId: run.runId, ...(call === undefined ? {} : { callId: call }) };
    return test.gateway.undoRun(request, caller);
  };
  const undoBy = (port: UndoPort) =>
    createGateway({ ...test.parts, undo: port }).undoRun({ runId: run.runId }, ada);
  /** By a gateway on the same records that was started in another folder. */
  const undoIn = (folder: string) => undoBy(realFilesIn(home, folder).undo);
  const restored = () => restoredIn(test, run.runId);
  const close = async () => {
    await test[Symbol.asyncDispose]();
    await real[Symbol.asyncDispose]();
  };
  return { undo, undoBy, undoIn, callIds, restored, [Symbol.asyncDispose]: close };
}

async function restoredIn(test: Awaited<ReturnType<typeof testGateway>>, runId: RunId) {
  const entries = await test.journal.page({ after: 0, limit: 500, runId });
  return entries
    .filter(({ kind }) => kind === 'file.restored')
    .map(({ actor, payload }) => ({ actor, path: payload['path'] }));
}

describe('undoing a run', () => {
  it('gives every file back as it was, newest change first, on record with who did it', async () => {
    await writeFile(at('a.txt'), 'old', { mode: 0o640 });
    await using run = await worked(
      write('a.txt', 'one'),
      create('made.txt', 'made'),
      write('a.txt', 'two'),
    );
    expect([await textOf('a.txt'), await textOf('made.txt')]).toEqual(['two', 'made']);
    expect(await run.undo()).toMatchObject([
      { path: 'a.txt', outcome: UndoOutcome.RESTORED },
      { path: 'made.txt', outcome: UndoOutcome.RESTORED, beforeSha256: '' },
    ]);
    expect([await textOf('a.txt'), await textOf('made.txt')]).toEqual(['old', undefined]);
    expect(await modeOf('a.txt')).toBe(0o640);
    expect(await run.restored()).toEqual([
      { actor: 'user:ada via device:laptop', path: 'a.txt' },
      { actor: 'user:ada via device:laptop', path: 'made.txt' },
    ]);
  });

  it('takes empty folders back that it had made, and no others', async () => {
    await mkdir(at('theirs'));
    await mkdir(at('there/empty'), { recursive: true });
    await using run = await worked(
      create('made/deep/a.txt', 'a'),
      create('made/b.txt', 'b'),
      create('used/new/c.txt', 'c'),
      create('there/d/e.txt', 'e'),
      create('theirs/f.txt', 'f'),
    );
    await writeFile(at('used/mine'), '');
    await run.undo();
    const left = await readdir(join(home, 'workspace'), { recursive: true });
    expect(left.toSorted()).toEqual(['theirs', 'there', 'there/empty', 'used', 'used/mine']);
  });

  it('keeps a folder that it had made while a later call has something in it', async () => {
    await using run = await worked(create('made/a.txt', 'a'), create('made/b.txt', 'b'));
    await run.undo(run.callIds[0]);
    expect(await readdir(at('made'))).toEqual(['b.txt']);
    await run.undo();
    expect(await readdir(join(home, 'workspace'))).toEqual([]);
  });

  it('a second time finds everything as it was', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'new'));
    await run.undo();
    expect(await run.undo()).toMatchObject([{ outcome: UndoOutcome.UNCHANGED }]);
    expect(await textOf('a.txt')).toBe('old');
  });

  it('touches nothing when one file was changed since, and names it', async () => {
    await writeFile(at('a.txt'), 'old a');
    await writeFile(at('b.txt'), 'old b');
    await using run = await worked(write('a.txt', 'new a'), write('b.txt', 'new b'));
    await writeFile(at('a.txt'), 'mine');
    expect(await run.undo()).toMatchObject([
      { path: 'b.txt', outcome: UndoOutcome.HELD_BACK },
      {
        path: 'a.txt',
        outcome: UndoOutcome.REFUSED,
        error: { message: expect.stringContaining('was changed since') },
      },
    ]);
    expect([await textOf('a.txt'), await textOf('b.txt')]).toEqual(['mine', 'new b']);
    expect(await run.restored()).toEqual([]);
  });

  it('refuses when the old content is no longer kept', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'new'));
    await rm(join(home, 'blobs'), { recursive: true });
    expect(await run.undo()).toMatchObject([{ outcome: UndoOutcome.REFUSED }]);
    expect(await textOf('a.txt')).toBe('new');
  });

  it('says nothing of a run that changed nothing', async () => {
    await using run = await worked();
    expect(await run.undo()).toEqual([]);
  });
});

describe('a mode that somebody set', () => {
  it('after the run stays, and the content is given back', async () => {
    await writeFile(at('locked.txt'), 'old', { mode: 0o644 });
    await writeFile(at('run.sh'), 'old', { mode: 0o755 });
    await using run = await worked(write('locked.txt', 'new'), write('run.sh', 'new'));
    await chmod(at('locked.txt'), 0o600);
    await chmod(at('run.sh'), 0o700);
    expect(await run.undo()).toMatchObject([
      { outcome: UndoOutcome.RESTORED },
      { outcome: UndoOutcome.RESTORED },
    ]);
    expect([await textOf('locked.txt'), await textOf('run.sh')]).toEqual(['old', 'old']);
    expect([await modeOf('locked.txt'), await modeOf('run.sh')]).toEqual([0o600, 0o700]);
  });

  it('of a file that the run made keeps that file', async () => {
    await using run = await worked(create('made.txt', 'made'));
    await chmod(at('made.txt'), 0o600);
    expect(await run.undo()).toMatchObject([
      {
        outcome: UndoOutcome.REFUSED,
        error: { message: expect.stringContaining('was changed since') },
      },
    ]);
    expect(await textOf('made.txt')).toBe('made');
  });

  it('is told from one that the run left when it made a file anew', async () => {
    await writeFile(at('run.sh'), 'old\n', { mode: 0o700 });
    await using run = await worked(remove('run.sh', 'old'), create('run.sh', 'new'));
    expect(await modeOf('run.sh')).toBe(0o644);
    await run.undo();
    expect([await textOf('run.sh'), await modeOf('run.sh')]).toEqual(['old\n', 0o700]);
  });

  it('stays also when the undo itself has to be taken back', async () => {
    await writeFile(at('kept.txt'), 'old', { mode: 0o644 });
    await writeFile(at('gone.txt'), 'old\n', { mode: 0o600 });
    await using run = await worked(write('kept.txt', 'new'), remove('gone.txt', 'old'));
    await chmod(at('kept.txt'), 0o640);
    // All are looked at first, so only a fault in between can stop the second one.
    const { undo } = realFilesIn(home);
    const full: UndoPort = {
      ...undo,
      restore: async (change, onChange) =>
        change.path === 'kept.txt'
          ? new PalyraError('UNEXPECTED', 'no room is left')
          : await undo.restore(change, onChange),
    };
    expect(await run.undoBy(full)).toMatchObject([
      { path: 'gone.txt', outcome: UndoOutcome.HELD_BACK },
      { path: 'kept.txt', outcome: UndoOutcome.REFUSED },
    ]);
    expect([await textOf('gone.txt'), await textOf('kept.txt')]).toEqual([undefined, 'new']);
    expect(await modeOf('kept.txt')).toBe(0o640);
  });
});

describe('undoing a run of another workspace', () => {
  it('touches no file there, though they look the same, and names the folder it was made in', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'new'), create('made.txt', 'made'));
    const other = join(home, 'other');
    await cp(join(home, 'workspace'), other, { recursive: true });
    const refused = {
      outcome: UndoOutcome.REFUSED,
      error: {
        message: expect.stringContaining(`in the workspace \`${join(home, 'workspace')}\``),
        help: expect.stringContaining(`name \`${join(home, 'workspace')}\``),
      },
    };
    expect(await run.undoIn('other')).toMatchObject([refused, refused]);
    expect(await readFile(join(other, 'a.txt'), 'utf8')).toBe('new');
    expect(await readFile(join(other, 'made.txt'), 'utf8')).toBe('made');
    expect(await run.restored()).toEqual([]);
    expect(await run.undo()).toMatchObject([
      { outcome: UndoOutcome.RESTORED },
      { outcome: UndoOutcome.RESTORED },
    ]);
    expect(await textOf('a.txt')).toBe('old');
  });

  it('is refused in a folder that took the name of the old one', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'new'));
    await rename(join(home, 'workspace'), join(home, 'moved'));
    await cp(join(home, 'moved'), join(home, 'workspace'), { recursive: true });
    expect(await run.undo()).toMatchObject([
      {
        outcome: UndoOutcome.REFUSED,
        error: { message: expect.stringContaining('in another folder') },
      },
    ]);
    expect(await textOf('a.txt')).toBe('new');
  });
});

describe('undoing one call', () => {
  it('gives back only what that call changed', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'one'), write('a.txt', 'two'));
    expect(await run.undo(run.callIds[1])).toMatchObject([{ outcome: UndoOutcome.RESTORED }]);
    expect(await textOf('a.txt')).toBe('one');
    expect(await run.undo()).toMatchObject([{ outcome: UndoOutcome.RESTORED }]);
    expect(await textOf('a.txt')).toBe('old');
  });

  it('is refused when a later call changed the same file', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'one'), write('a.txt', 'two'));
    expect(await run.undo(run.callIds[0])).toMatchObject([{ outcome: UndoOutcome.REFUSED }]);
    expect(await textOf('a.txt')).toBe('two');
  });
});

describe('who may undo a run', () => {
  it('is who started it, or an admin, and nobody else', async () => {
    await writeFile(at('a.txt'), 'old');
    await using run = await worked(write('a.txt', 'new'));
    const refusal = { code: 'PERMISSION_DENIED' };
    const token = { ...person('token:01', Role.OWNER), kind: PrincipalKind.TOKEN };
    await expect(run.undo(undefined, token)).rejects.toMatchObject(refusal);
    const bob = person('user:bob', Role.OPERATOR);
    await expect(run.undo(undefined, bob)).rejects.toMatchObject(refusal);
    expect(await textOf('a.txt')).toBe('new');
    await run.undo(undefined, person('user:eve', Role.ADMIN));
    expect(await textOf('a.txt')).toBe('old');
  });
});
