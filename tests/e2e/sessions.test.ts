import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, createServer } from 'node:http';
import { join } from 'node:path';
import { type TempHome, tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Daemon, Palyra, palyra, waitFor } from './harness.ts';

const requestShape = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});
const sessionShape = z.object({ session: z.object({ sessionId: z.string() }) });
const listShape = z.object({
  runs: z.array(
    z.object({ runId: z.string(), sessionId: z.string(), status: z.string(), prompt: z.string() }),
  ),
});

/** A model server on this machine: it keeps what it is told, and answers `hold` only when it is let. */
async function modelServer() {
  const told: string[][] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { messages } = requestShape.parse(JSON.parse(await bodyOf(request)));
      const words = messages.slice(1).map(({ role, content }) => `${role}: ${String(content)}`);
      told.push(words);
      if (words.at(-1) === 'user: hold') await new Promise<void>((resolve) => held.push(resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer(`answer ${told.length}`));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    told,
    url: `http://127.0.0.1:${address.port}/v1`,
    letGo: () => held.splice(0).forEach((resolve) => resolve()),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function answer(text: string): string {
  const chunk = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  const said = chunk({ role: 'assistant', content: text }, null);
  return `${said}${chunk({}, 'stop')}data: [DONE]\n\n`;
}

async function homeWithModel(url: string): Promise<TempHome> {
  const home = await tempHome();
  const config = join(home.path, 'config');
  await mkdir(config, { mode: 0o700 });
  const toml = `[models]\nprovider = "openai"\nmodel = "m"\nbase_url = "${url}"\n`;
  await writeFile(join(config, 'palyra.toml'), toml, { mode: 0o600 });
  return home;
}

async function runsOf(home: string, ...more: readonly string[]) {
  const { stdout } = await palyra(home, 'runs', 'list', '--json', ...more);
  return listShape.parse(JSON.parse(stdout)).runs;
}

describe('a session', () => {
  it(
    'is remembered by its runs and its branches, and what the workspace says stands between marks',
    verifies('sessions:remember', 'context:untrusted-is-fenced'),
    async () => {
      using server = await modelServer();
      await using home = await homeWithModel(server.url);
      const workspace = join(home.path, 'workspace');
      await mkdir(workspace);
      await writeFile(join(workspace, 'AGENTS.md'), 'use tabs');
      await using _daemon = await new Daemon(home.path, workspace).ready();
      const at = (...words: readonly string[]) => palyra(home.path, ...words);

      const made = await at('sessions', 'new', '--title', 'colours', '--json');
      const { sessionId } = sessionShape.parse(JSON.parse(made.stdout)).session;
      expect((await at('run', 'red?', '--session', sessionId)).stdout).toContain('answer 1');
      await at('run', 'blue?', '--session', sessionId);
      const [blue, red] = await runsOf(home.path, '--session', sessionId);
      expect([blue?.prompt, red?.prompt]).toEqual(['blue?', 'red?']);
      const [notes, ...said] = server.told.at(-1) ?? [];
      expect(notes).toMatch(/AGENTS\.md[^<]*\n<<< (untrusted [0-9a-f]{24})\nuse tabs\n\1 >>>$/);
      expect(said).toEqual(['user: red?', 'assistant: answer 1', 'user: blue?']);

      const branched = await at('sessions', 'branch', red?.runId ?? '', '--json');
      const branch = sessionShape.parse(JSON.parse(branched.stdout)).session.sessionId;
      await at('run', 'green?', '--session', branch);
      expect(server.told.at(-1)?.slice(1)).toEqual([
        'user: red?',
        'assistant: answer 1',
        'user: green?',
      ]);

      const mistaken = await at('sessions', 'branch', sessionId);
      expect(mistaken.code).toBe(5);
      expect(mistaken.stderr).toContain(`\`palyra runs list --session ${sessionId}\` has its runs`);
      const one = await at('runs', 'show', red?.runId ?? '');
      expect(one.stdout).toMatch(/reason +done\n/);
      expect(one.stdout).toMatch(/used +1 model turn/);

      expect((await at('sessions', 'rename', branch, 'greens')).stdout).toContain('greens');
      expect((await at('sessions', 'archive', branch)).code).toBe(0);
      expect((await at('sessions', 'list')).stdout).not.toContain('greens');
      expect((await at('sessions', 'list', '--archived')).stdout).toContain('greens');
      const refused = await at('run', 'more?', '--session', branch);
      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toContain('is archived');
      expect((await at('sessions', 'restore', branch)).code).toBe(0);
      const shown = await at('sessions', 'show', branch);
      expect(shown.stdout).toContain('greens');
      expect(shown.stdout).toContain('green?');
      expect((await at('sessions', 'show', '01JZ8Q6Y7D0M3W5K9RB2XN4TFC')).code).toBe(5);
      expect((await at('journal', 'verify')).code).toBe(0);
    },
  );
});

describe('runs that wait for the one before them', () => {
  it(
    'begin in order, are kept through a kill, and begin once when they are resumed',
    verifies('runs:waiting-is-kept'),
    async () => {
      using server = await modelServer();
      await using home = await homeWithModel(server.url);
      const waits = async (status: string, count: number) =>
        (await runsOf(home.path)).filter((run) => run.status === `RUN_STATUS_${status}`).length ===
        count;
      {
        await using daemon = await new Daemon(home.path).ready();
        const first = new Palyra(home.path, ['run', 'hold']);
        await waitFor(() => server.told.length === 1);
        const [active] = await runsOf(home.path);
        const session = active?.sessionId ?? '';
        const busy = await palyra(home.path, 'run', 'now', '--session', session);
        expect(busy.stdout + busy.stderr).toContain('already has an active run');
        const queued = new Palyra(home.path, ['run', 'hold', '--session', session, '--queue']);
        await waitFor(() => waits('QUEUED', 1));
        server.letGo();
        expect((await first.end()).stdout).toContain('answer 1');
        await waitFor(() => server.told.length === 2);

        const last = new Palyra(home.path, ['run', 'last', '--session', session, '--queue']);
        await waitFor(() => waits('QUEUED', 1));
        await daemon.stop('SIGKILL');
        server.letGo();
        expect((await queued.end()).code).not.toBe(0);
        expect((await last.end()).code).not.toBe(0);
      }
      await using again = await new Daemon(home.path).ready();
      expect(await waits('INTERRUPTED', 2)).toBe(true);
      const [last] = await runsOf(home.path);
      expect(last?.prompt).toBe('last');
      expect(server.told).toHaveLength(2);
      const resumed = await palyra(again.home, 'runs', 'resume', last?.runId ?? '');
      expect(resumed.stdout).toContain('answer 3');
      expect(server.told.at(-1)).toEqual([
        'user: hold',
        'assistant: answer 1',
        'user: hold',
        'user: (This run was interrupted before it was done.)',
        'user: last',
      ]);
      const twice = await palyra(again.home, 'runs', 'resume', last?.runId ?? '');
      expect(twice.code).not.toBe(0);
      expect((await palyra(again.home, 'journal', 'verify')).code).toBe(0);
    },
  );
});
