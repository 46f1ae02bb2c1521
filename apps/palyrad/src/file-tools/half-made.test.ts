import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissionsOf } from '@palyra/kernel';
import { DecisionKind, PrincipalKind, Role, RunStatus } from '@palyra/protocol';
import {
  policyThatSays,
  quietLog,
  talkingModel,
  tempHome,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realFilesIn } from './real-files.fixture.ts';

let home = '';
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'palyra-half-')));
  await mkdir(join(home, 'workspace'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const never = new AbortController().signal;
const at = (name: string) => join(home, 'workspace', name);
const textOf = (name: string) => readFile(at(name), 'utf8').catch(() => 'absent');
const FILES = ['a', 'b', 'made', 'gone'];
const texts = () => Promise.all(FILES.map(textOf));
const BEFORE = ['old a\n', 'old b\n', 'absent', 'to go\n'];
const AFTER = ['new a\n', 'new b\n', 'made\n', 'absent'];

const PATCH = `--- a/a
+++ b/a
@@ -1 +1 @@
-old a
+new a
--- a/b
+++ b/b
@@ -1 +1 @@
-old b
+new b
--- /dev/null
+++ b/made
@@ -0,0 +1 @@
+made
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-to go
`;

const ada = {
  principal: 'user:ada',
  actor: 'user:ada via device:laptop',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  channel: 'cli',
} as const;

const partsIn = (workspace: string) => ({
  ...realFilesIn(home, workspace),
  policy: policyThatSays({ kind: DecisionKind.ALLOW }),
  log: quietLog(),
});

/** A call that patches four files was cut off: all that its journal holds, and these contents of the files. */
async function cutOff(after: typeof tempHome, left: readonly string[]) {
  await lay(BEFORE);
  const argumentsJson = JSON.stringify({ patch: PATCH });
  const model = talkingModel([{ kind: 'tool-call', tool: 'fs.patch', argumentsJson }], []);
  await using whole = await testGateway({ ...partsIn('workspace'), model });
  const run = await whole.gateway.runs.start({ prompt: 'patch' }, ada);
  await Array.fromAsync(run.events(never));
  expect(await texts()).toEqual(AFTER);
  const entries = await whole.journal.page({ after: 0, limit: 200, runId: run.runId });
  const end = entries.findIndex(({ kind }) => kind === 'tool.finished');
  const place = await after();
  await using cut = await testGateway({ home: place });
  const { runId, sessionId } = run;
  await cut.journal.append(
    entries.slice(0, end).map(({ kind, actor, payload }) => ({
      kind,
      actor,
      payload,
      runId,
      sessionId,
    })),
  );
  await lay(left);
  const callId = entries.find(({ kind }) => kind === 'tool.proposed')?.payload['callId'];
  if (typeof callId !== 'string') throw new TypeError('no call was proposed');
  await writeFile(at(draftOf(callId)), 'half of it');
  return { place, runId };
}

/** As the patch lays what it will make beside its files. */
const draftOf = (callId: string) => `.palyra-draft-${callId}-0b8c6d1e-6a52-4c5e-9a53-0d1f2e3a4b5c`;
const drafts = async () =>
  (await readdir(join(home, 'workspace'))).filter((name) => name.startsWith('.palyra-draft-'));

async function lay(contents: readonly string[]): Promise<void> {
  for (const [place, name] of FILES.entries()) {
    const text = contents[place] ?? 'absent';
    if (text === 'absent') await rm(at(name), { force: true });
    else await writeFile(at(name), text);
  }
}

/** What a gateway that starts on it leaves, and has put on record. */
async function startedAgain(left: readonly string[]) {
  const { place, runId } = await cutOff(tempHome, left);
  await using disposed = place;
  await using test = await testGateway({ home: disposed, ...partsIn('workspace') });
  await test.gateway.runs.recover();
  const entries = await test.journal.page({ after: 0, limit: 200, runId });
  const restored = entries.filter(({ kind }) => kind === 'file.restored');
  return {
    status: (await test.gateway.runs.get(runId, ada)).status,
    restored: restored.map(({ actor, payload }) => [actor, payload['path']]),
  };
}

describe('a patch that a crash cut off', () => {
  it.each([
    ['after its first file', ['new a\n', 'old b\n', 'absent', 'to go\n'], ['a']],
    ['after a new one', ['new a\n', 'new b\n', 'made\n', 'to go\n'], ['made', 'b', 'a']],
    ['before its last', ['new a\n', 'new b\n', 'absent', 'to go\n'], ['b', 'a']],
  ])(
    'is taken back at the next start: %s',
    verifies('runs:changes-are-whole'),
    async (_where, left, names) => {
      const { status, restored } = await startedAgain(left);
      expect(await texts()).toEqual(BEFORE);
      expect(await drafts()).toEqual([]);
      expect(restored).toEqual(names.map((name) => ['gateway', name]));
      expect(status).toBe(RunStatus.INTERRUPTED);
    },
  );

  it.each([
    ['all of it was made', AFTER],
    ['nothing of it was made', BEFORE],
    ['somebody has put one of its files back', ['new a\n', 'old b\n', 'made\n', 'absent']],
    ['somebody has worked on one of its files since', ['new a\n', 'mine\n', 'absent', 'to go\n']],
  ])('stays as it is when %s', async (_when, left) => {
    const { status, restored } = await startedAgain(left);
    expect(await texts()).toEqual(left);
    expect(await drafts()).toEqual([]);
    expect(restored).toEqual([]);
    expect(status).toBe(RunStatus.INTERRUPTED);
  });

  it('stays as it is when somebody has locked a file that it made', async () => {
    const left = ['new a\n', 'new b\n', 'made\n', 'to go\n'];
    const { place, runId } = await cutOff(tempHome, left);
    await using disposed = place;
    await chmod(at('made'), 0o600);
    await using test = await testGateway({ home: disposed, ...partsIn('workspace') });
    await test.gateway.runs.recover();
    expect(await texts()).toEqual(left);
    expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.INTERRUPTED);
  });

  it('stays as it is where the gateway works in another folder, until it goes on in its own', async () => {
    await mkdir(join(home, 'other'));
    const left = ['new a\n', 'old b\n', 'absent', 'to go\n'];
    const { place, runId } = await cutOff(tempHome, left);
    await using disposed = place;
    {
      await using test = await testGateway({ home: disposed, ...partsIn('other') });
      await test.gateway.runs.recover();
      expect(await texts()).toEqual(left);
      expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.INTERRUPTED);
    }
    const model = talkingModel([]);
    await using test = await testGateway({ home: disposed, ...partsIn('workspace'), model });
    await Array.fromAsync((await test.gateway.runs.resume(runId, ada)).events(never));
    expect(await texts()).toEqual(BEFORE);
    expect(model.heard.at(-1)?.at(-1)?.text).toContain('its files are as they were before it');
  });
});
