import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PalyraClient, createClient, grpcOverTls } from '@palyra/client';
import { type RunEvent, ApprovalStatus, GrantScope } from '@palyra/protocol';
import { daemonHome } from './home.ts';
import { type Server, startBareServer, startDaemon } from './server.ts';
import { enrolAt } from './tls-file.ts';

/** A gateway whose model answers at once, and the way to that model without the gateway. */
export interface AgentSite extends AsyncDisposable {
  readonly client: PalyraClient;
  readonly daemon: Server;
  readonly model: Server;
}

export async function openAgentSite(): Promise<AgentSite> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await daemonHome());
  const model = stack.use(await startBareServer('instant-model.ts', home));
  const workspace = stack.use(await smallProject());
  const choice = { settings: settingsFor(model), workspace: workspace.path };
  const daemon = stack.use(await startDaemon(home, choice));
  const client = createClient(grpcOverTls(await enrolAt(home)));
  const release = stack.move();
  return { client, daemon, model, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

/** What people work in has a few hundred files; what is looked through before a command counts. */
async function smallProject() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-project-'));
  for (let part = 0; part < PARTS; part += 1) {
    const below = join(folder.path, `part-${part}`);
    await mkdir(below);
    for (let file = 0; file < FILES; file += 1) await writeFile(join(below, `${file}.ts`), '');
  }
  return folder;
}

const PARTS = 20;
const FILES = 20;

function settingsFor({ port }: Server): string {
  const model = `provider = "openai"\nmodel = "instant"\nbase_url = "http://127.0.0.1:${port}/v1"`;
  return `[models]\n${model}\n`;
}

/** In a session of its own, unless one is named. Contract: the run completed. */
export async function runThrough(
  client: PalyraClient,
  prompt: string,
  sessionId = '',
): Promise<void> {
  for await (const { event } of client.runs.startRun({ prompt, sessionId })) {
    if (event.case === 'runEnded' && event.value.error !== undefined) {
      throw new Error(`a run failed: ${event.value.error.message}`);
    }
    if (event.case === 'toolFinished' && event.value.error !== undefined) {
      throw new Error(`a call failed: ${event.value.error.message}`);
    }
  }
}

/** Runs once, and has its call granted for as long as the figure takes. */
export async function grantCall(client: PalyraClient, prompt: string): Promise<void> {
  for await (const event of client.runs.startRun({ prompt })) {
    const approvalId = askedBy(event);
    if (approvalId !== undefined) await grant(client, approvalId);
  }
}

function askedBy({ event }: RunEvent): string | undefined {
  if (event.case !== 'approvalChanged') return undefined;
  return event.value.status === ApprovalStatus.PENDING ? event.value.approvalId : undefined;
}

const HOUR_MS = 3_600_000;

async function grant(client: PalyraClient, approvalId: string): Promise<void> {
  const { approval } = await client.approvals.getApproval({ approvalId });
  await client.approvals.answerApproval({
    approvalId,
    fingerprint: approval?.fingerprint ?? '',
    answer: ApprovalStatus.GRANTED,
    scope: GrantScope.UNTIL,
    until: new Date(Date.now() + HOUR_MS).toISOString(),
    uses: 10_000,
  });
}

const keepAlive = new Agent({ keepAlive: true });

/** Asks the model itself, as a program without a gateway would; tells when its first word came. */
export async function askModel(port: number, words: string): Promise<number> {
  const startedAt = performance.now();
  const path = '/v1/chat/completions';
  const asking = request({ agent: keepAlive, host: '127.0.0.1', port, path, method: 'POST' });
  asking.end(words);
  const [response] = await once(asking, 'response');
  let firstMs: number | undefined;
  for await (const _piece of response) firstMs ??= performance.now() - startedAt;
  return firstMs ?? 0;
}

export async function spawnBare(): Promise<void> {
  await once(spawn('true', { stdio: 'ignore' }), 'exit');
}
