import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Ending, RunWatch, SandboxRequest } from '@palyra/sandbox';
import { requestFor, type Site } from './sandbox-site.ts';
import { PEERS_DIR, codexFile, codexHelper, installPeers, peerFile } from './peers.ts';

export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly prints: string;
}

/**
 * One way to run a command. Contract: resolves with what it printed, or with `undefined` when it ran
 * otherwise than was meant, as in a cage that was not warm; rejects when it did not end well.
 */
export type Way = (command: Command) => Promise<string | undefined>;

export const bareSpawn: Way = ({ program, words }) => printed(`/bin/${program}`, words);

/** The namespaces, and a file system that is not to be written: no filter, no limits, nothing hidden. */
export const plainBwrap: Way = ({ program, words }) =>
  printed('/usr/bin/bwrap', [...MINIMAL_PROFILE, '--', `/bin/${program}`, ...words]);

const MINIMAL_PROFILE =
  '--unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc'.split(' ');

interface Runner {
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
}

export function coldCage(runner: Runner, site: Site): Way {
  return async (command) => printedBy(await runIn(runner, site, { command, hosts: [] }), 'cold');
}

export function warmCage(runner: Runner, site: Site, hosts: readonly string[] = []): Way {
  return async (command) => printedBy(await runIn(runner, site, { command, hosts }), 'warm');
}

/** Contract: also for an ending that is none of those that were meant. */
export function runIn(
  runner: Runner,
  site: Site,
  { command, hosts }: { readonly command: Command; readonly hosts: readonly string[] },
): Promise<Ending> {
  const request = requestFor(site, {
    executable: command.program,
    arguments: command.words,
    egress: { mode: 'strict', hosts, secrets: [] },
  });
  return runner.run(request, SILENT);
}

export const SILENT: RunWatch = {
  signal: new AbortController().signal,
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
};

function printedBy(ending: Ending, warmth: 'warm' | 'cold'): string | undefined {
  const { kind, code, fault, posture, stdout } = ending;
  if (kind !== 'exited' || code !== 0) throw new Error(`a cage failed: ${fault?.reason ?? kind}`);
  if (posture.isWarm !== (warmth === 'warm')) return undefined;
  return Buffer.from(stdout).toString('utf8');
}

/** The library of sandbox-runtime in this process, as an agent would use it, until `undo` ends it. */
export async function sandboxRuntime(
  { workspace }: Site,
  undo: AsyncDisposableStack,
): Promise<Way> {
  await installPeers();
  const file = peerFile('@anthropic-ai/sandbox-runtime/dist/index.js');
  const library: unknown = await import(pathToFileURL(file).href);
  if (!isRuntime(library)) throw new Error('its library is not the one that is known here');
  // It protects what lies below the folder that we are in.
  process.chdir(workspace);
  undo.defer(() => process.chdir('/'));
  undo.defer(() => library.SandboxManager.reset());
  await library.SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
    ripgrep: { command: codexFile('codex-path/rg') },
  });
  return async ({ program, words }) => {
    const line = [`/bin/${program}`, ...words].join(' ');
    return printed('/bin/sh', ['-c', await library.SandboxManager.wrapWithSandbox(line)]);
  };
}

interface Runtime {
  readonly SandboxManager: {
    initialize(config: object): Promise<void>;
    wrapWithSandbox(line: string): Promise<string>;
    reset(): Promise<void>;
  };
}

function isRuntime(library: unknown): library is Runtime {
  if (typeof library !== 'object' || library === null) return false;
  if (!('SandboxManager' in library)) return false;
  const manager = library.SandboxManager;
  if (typeof manager !== 'object' || manager === null) return false;
  return 'initialize' in manager && 'wrapWithSandbox' in manager && 'reset' in manager;
}

/** The helper that Codex puts before each command on Linux. */
export async function codexSandbox({ workspace }: Site): Promise<Way> {
  await installPeers();
  const helper = await codexHelper();
  const home = join(PEERS_DIR, 'codex-home');
  await mkdir(home, { recursive: true });
  const entries = [
    { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
    { path: { type: 'path', path: workspace }, access: 'write' },
  ];
  const profile = JSON.stringify({
    type: 'managed',
    file_system: { type: 'restricted', entries },
    network: 'restricted',
  });
  const rules = ['--sandbox-policy-cwd', workspace, '--command-cwd', workspace];
  const environment = { PATH: `${PEERS_DIR}:/usr/bin:/bin`, HOME: home, CODEX_HOME: home };
  return ({ program, words }) =>
    printed(
      helper,
      [...rules, '--permission-profile', profile, '--', `/bin/${program}`, ...words],
      environment,
    );
}

async function printed(
  file: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = { PATH: '/usr/bin:/bin' },
): Promise<string> {
  const child = spawn(file, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (child.exitCode === 0) return output;
  throw new Error(`it ended with ${child.exitCode ?? child.signalCode}: ${complaint.slice(-300)}`);
}
