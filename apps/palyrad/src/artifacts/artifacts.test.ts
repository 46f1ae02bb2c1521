import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { openBlobs } from '@palyra/blobs';
import type { ModelEvent, ModelPort, RunAsker, SandboxPort, SandboxRequest } from '@palyra/gateway';
import { PalyraError, type RunId, parseId, permissionsOf } from '@palyra/kernel';
import {
  CallPreviewSchema,
  DecisionKind,
  Executor,
  ToolOutcome,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { policyThatSays, quietLog, talkingModel, testGateway } from '@palyra/testkit';
import { createCatalogue } from '@palyra/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carryOut } from '../carry-out.ts';
import { offering } from '../offered-tools.ts';
import { createArtifactTool } from './artifact-tool.ts';
import { keepingLargeOutput } from './kept-output.ts';
import { type SizeInSession, sessionArtifacts } from './session-artifacts.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-artifacts-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const never = new AbortController().signal;
const ada: RunAsker = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
};

/** 10,000 lines, so more than one answer holds. */
const LONG = Array.from({ length: 10_000 }, (_, place) => `line ${place} é\n`).join('');
const SHA256 = createHash('sha256').update(LONG).digest('hex');
const SIZE = Buffer.byteLength(LONG);

const shout: ModelEvent = {
  kind: 'tool-call',
  tool: 'process.run',
  argumentsJson: JSON.stringify({ command: 'shout' }),
};
const readOn = (offset: number): ModelEvent => ({
  kind: 'tool-call',
  tool: 'artifact.read',
  argumentsJson: JSON.stringify({ sha256: SHA256, offset }),
});

/** Every command says the same, and much of it. */
const shouting: SandboxPort = {
  place: async () => ({ tier: 'C', executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP }),
  preview: async () => create(CallPreviewSchema, {}),
  expect: () => {},
  expectRun: () => {},
  execute: async () => ({
    outcome: ToolOutcome.SUCCEEDED,
    executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
    enforcement: 'loud',
    output: new TextEncoder().encode(LONG),
  }),
};

const REQUEST: SandboxRequest = {
  callId: 'C',
  tool: 'process.run',
  arguments: { command: 'shout' },
  principal: ada.principal,
  sessionId: 'S',
  policySetHash: '',
  workspace: '/workspace',
  mayConnect: async () => false,
  onConnection: () => undefined,
  onOutput: () => undefined,
  onFileChange: async () => undefined,
};

/** Says what belongs to the prompt of the run. */
function modelFor(scripts: Readonly<Record<string, readonly ModelEvent[][]>>): ModelPort {
  return {
    ...talkingModel(),
    reply: (request, signal) => {
      const asked = request.conversation.findLast(({ role }) => role === 'user');
      const prompt = asked?.role === 'user' ? asked.text : '';
      return talkingModel(...(scripts[prompt] ?? [])).reply(request, signal);
    },
  };
}

async function opened(on: readonly ModelEvent[][] = [], maxBytes = 10_000_000) {
  const blobs = openBlobs({ folder: join(home, 'blobs'), maxBytes });
  let sizeInSession: SizeInSession = async () => undefined;
  const tool = createArtifactTool({ blobs, sizeInSession: (...asked) => sizeInSession(...asked) });
  const test = await testGateway({
    model: modelFor({ go: [[shout], []], on }),
    policy: policyThatSays({ kind: DecisionKind.ALLOW }),
    catalogue: offering(createCatalogue(), () => true),
    sandbox: keepingLargeOutput(carryOut([tool], shouting), { blobs, log: quietLog() }),
  });
  sizeInSession = sessionArtifacts({ ...test.parts, journal: test.journal });
  const run = async (prompt: string, sessionId?: string, asker = ada) => {
    const session = sessionId === undefined ? undefined : parseId<'session'>(sessionId);
    const request = session === undefined ? { prompt } : { prompt, sessionId: session };
    const started = await test.gateway.runs.start(request, asker);
    const events = await Array.fromAsync(started.events(never));
    const results = events.flatMap(({ event }) =>
      event.case === 'toolFinished' ? [event.value] : [],
    );
    const attested = events.flatMap(({ event }) =>
      event.case === 'toolAttested' ? [event.value] : [],
    );
    return { results, attested, sessionId: started.sessionId, runId: started.runId };
  };
  const branch = async (runId: RunId) => {
    const { sessionId } = await test.gateway.sessions.branch({ runId, title: '' }, ada);
    return sessionId;
  };
  return { run, branch, close: () => test[Symbol.asyncDispose]() };
}

describe('a result that is too large for one answer', () => {
  it('is shown in its first page, kept whole, and attested as it was', async () => {
    const { run, close } = await opened();
    const { results, attested } = await run('go');
    const [result] = results;
    expect(result).toMatchObject({ artifactSha256: SHA256, artifactBytes: BigInt(SIZE) });
    expect(attested).toMatchObject([{ executionSha256: SHA256, resultBytes: SIZE }]);
    const [shown = '', note = ''] = result?.output.split('\n[cut here: ') ?? [];
    expect(LONG.startsWith(shown)).toBe(true);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(48_000);
    const offset = Buffer.byteLength(`${shown}\n`);
    expect(note).toContain(`artifact.read {"sha256":"${SHA256}","offset":${offset - 1}}`);
    await close();
  });

  it('is read on by the same session, page by page, to the end', async () => {
    const turns = [0, 1, 2, 3].map((page) => [readOn(page * 40_000)]);
    const { run, close } = await opened([...turns, []]);
    const { sessionId } = await run('go');
    const { results } = await run('on', sessionId);
    const pages = results.map(({ output }) => output);
    expect(pages[0]).toMatch(new RegExp(`^bytes 0 to \\d+ of ${SIZE}; read on with \`offset\``));
    expect(pages.at(-1)).toContain('the end of it');
    for (const { output, artifactSha256 } of results) {
      expect(artifactSha256).toBe('');
      expect(LONG).toContain(output.slice(output.indexOf('\n') + 2));
    }
    await close();
  });

  it('cannot be read by another session, nor by somebody else in the same one', async () => {
    const { run, close } = await opened([[readOn(0)], []]);
    const { sessionId } = await run('go');
    const other = await run('on');
    const eve = { ...ada, principal: 'user:eve', actor: 'user:eve' };
    const same = await run('on', sessionId, eve).catch(() => undefined);
    for (const { results } of [other, ...(same === undefined ? [] : [same])]) {
      expect(results).toMatchObject([{ outcome: ToolOutcome.FAILED, output: '' }]);
      expect(results[0]?.error?.message).toContain('no call of this session left');
    }
    await close();
  });

  it('is read on in a branch that came after it, and in none that came before', async () => {
    const { run, branch, close } = await opened([[readOn(0)], []]);
    const first = await run('nothing');
    const { runId } = await run('go', first.sessionId);
    const after = await run('on', await branch(runId));
    expect(after.results).toMatchObject([{ outcome: ToolOutcome.SUCCEEDED }]);
    const later = await run('on', await branch(after.runId));
    expect(later.results).toMatchObject([{ outcome: ToolOutcome.SUCCEEDED }]);
    const before = await run('on', await branch(first.runId));
    expect(before.results).toMatchObject([{ outcome: ToolOutcome.FAILED, output: '' }]);
    await close();
  });

  it('of a command that was ended because it wrote too much is kept as far as it came', async () => {
    const reason = 'the command wrote more than 8388608 bytes of output';
    const port = keepingLargeOutput(
      {
        ...shouting,
        execute: async (...asked) => ({
          ...(await shouting.execute(...asked)),
          outcome: ToolOutcome.FAILED,
          error: new PalyraError('SANDBOX_QUOTA_EXCEEDED', reason),
        }),
      },
      { blobs: openBlobs({ folder: join(home, 'blobs'), maxBytes: 10_000_000 }), log: quietLog() },
    );
    const execution = await port.execute(REQUEST, never);
    expect(execution).toMatchObject({
      outcome: ToolOutcome.FAILED,
      error: { message: reason },
      artifact: { sha256: SHA256, bytes: SIZE },
    });
  });

  it('is cut, and says so, when there is no room to keep it', async () => {
    const { run, close } = await opened([], 1000);
    const { results } = await run('go');
    expect(results).toMatchObject([{ outcome: ToolOutcome.SUCCEEDED, artifactSha256: '' }]);
    expect(results[0]?.output).toContain('the rest could not be kept]');
    await close();
  });
});
