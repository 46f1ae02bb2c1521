import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import {
  DEFAULT_LIMITS,
  type Ending,
  type SandboxRequest,
  createTierC,
  identifyBwrap,
  inOwnNamespace,
} from '@palyra/sandbox';
import { usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import type { Surroundings } from '../sections.ts';
import { answerJson } from './answer.ts';
import type { Answer } from './commands.ts';
import { become } from './sandbox-entry.ts';
import { type Order, readOrder } from './sandbox-order.ts';
import { probeFolder, takeSeat } from './sandbox-seat.ts';
import {
  type Finding,
  accountFinding,
  faultOf,
  groupFinding,
  tryFinding,
} from './sandbox-status.ts';

export async function answerSandbox(
  [command, ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<Answer> {
  if (command === 'run') return await runSandbox(rest, surroundings);
  if (command === 'status') return await sandboxStatus(rest, surroundings);
  throw usage('there is no such command');
}

/**
 * One command in a sandbox of tier C, as `palyra sandbox run` wants it: the order is the first line
 * of standard input, and whoever gave it is gone when the input ends. Output is told as it comes.
 */
async function runSandbox(rest: readonly string[], surroundings: Surroundings): Promise<Answer> {
  if (!hasEntered(rest)) return enter('run', surroundings);
  const { order, gone } = await readOrder(process.stdin);
  const {
    stdout: _out,
    stderr: _err,
    ...ending
  } = await runOrder(order, surroundings, {
    signal: gone,
    // Not awaited: the sandbox's own limit for output bounds what can pile up.
    onOutput: (stream, bytes) => {
      const base64 = Buffer.from(bytes).toString('base64');
      process.stdout.write(answerJson('sandbox.output', { stream, base64 }));
    },
  });
  return { exit: EXIT.ok, kind: 'sandbox.run', fields: { ending } };
}

/** What this machine can do, found out by doing it. */
async function sandboxStatus(rest: readonly string[], surroundings: Surroundings): Promise<Answer> {
  if (!hasEntered(rest)) return enter('status', surroundings);
  const parts = [
    tryFinding(
      'bubblewrap',
      () => `${identifyBwrap().path}, root's own and changed by nobody else`,
    ),
    tryFinding('node:ffi', () => {
      if (process.getBuiltinModule('node:ffi') !== undefined) return 'this Node has it';
      throw new PalyraError('SANDBOX_UNAVAILABLE', 'this Node does not have it', {
        help: 'start Palyra with the Node that it brings',
      });
    }),
  ];
  const tried = await probe(surroundings);
  const exit = tried.fault === undefined ? EXIT.ok : EXIT.failure;
  const fields = { ...tried, findings: [...parts, ...tried.findings] };
  return { exit, kind: 'sandbox.status', fields };
}

/**
 * Sandboxes are made by a process for this alone: without the environment that it was started with,
 * and, as root, with mounts of its own. So this one becomes it, and is told by one more word.
 */
const ENTERED = 'entered';

function hasEntered(rest: readonly string[]): boolean {
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== ENTERED)) {
    throw usage('expected no argument');
  }
  return rest.length === 1;
}

function enter(command: 'run' | 'status', { environment }: Surroundings): never {
  const uid = process.geteuid?.() ?? 0;
  return become((invocation) => inOwnNamespace(uid, invocation), {
    words: ['sandbox', command, ENTERED],
    environment,
  });
}

async function runOrder(
  order: Order,
  { places }: Surroundings,
  watch: Parameters<ReturnType<typeof createTierC>['run']>[1],
): Promise<Ending> {
  using seat = takeSeat(places, order.workspace);
  // From here on for the command: what it makes is no secret of ours, and others may have to read it.
  process.umask(0o022);
  using tier = createTierC({ folder: seat.folder });
  return await tier.run(toRequest(order), watch);
}

function toRequest(order: Order): SandboxRequest {
  const { wallTimeMs = DEFAULT_LIMITS.wallTimeMs, network, stdin, ...command } = order;
  return {
    ...command,
    tier: 'C',
    directory: '.',
    stdin: new Uint8Array(Buffer.from(stdin, 'base64')),
    limits: { ...DEFAULT_LIMITS, wallTimeMs },
    egress: network === 'machine' ? { mode: 'none' } : { mode: 'strict', hosts: [] },
    principal: 'cli',
    session: 'cli',
  };
}

interface Probe {
  readonly findings: readonly Finding[];
  readonly posture?: Ending['posture'];
  readonly fault?: ReturnType<typeof faultOf>;
}

const MADE = 'made-by-the-probe';

/** A sandbox for a moment, that says who it is inside and leaves a file to be looked at outside. */
async function probe(surroundings: Surroundings): Promise<Probe> {
  const workspace = probeFolder(surroundings.places);
  const made = join(workspace, MADE);
  const order: Order = {
    executable: '/bin/sh',
    arguments: ['-c', `id -u && : > ${MADE}`],
    workspace,
    environment: {},
    stdin: '',
    network: 'none',
  };
  try {
    const watch = { signal: new AbortController().signal, onOutput: () => {} };
    const { kind, code, fault, posture, stdout } = await runOrder(order, surroundings, watch);
    if (kind !== 'exited' || code !== 0)
      return { findings: [], fault: fault ?? faultOf(unclear()) };
    const inside = Buffer.from(stdout).toString('utf8').trim();
    const account = accountFinding({ inside, owner: statSync(made).uid });
    return { findings: [account, groupFinding(posture.memory)], posture };
  } catch (reason) {
    return { findings: [], fault: faultOf(reason) };
  } finally {
    rmSync(made, { force: true });
  }
}

function unclear(): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'a sandbox came up, and a shell in it could do nothing');
}
