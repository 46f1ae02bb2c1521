import { spawn } from 'node:child_process';
import { closeSync, fchownSync } from 'node:fs';
import { Socket } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { gather } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { readReport } from '../starter/read-report.ts';
import { REPORT } from '../starter/starter-elf.ts';
import { sweep } from '../tier-b-process/sweep.ts';
import { Opened } from '../tier-c-bubblewrap/descriptors.ts';
import { READY, STREAMS } from '../tier-c-bubblewrap/launcher.ts';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import { childrenOf, factsOf } from '../tier-c-bubblewrap/processes.ts';
import { MAX_START_MS, type Waiting } from '../tier-c-bubblewrap/waiting.ts';
import { DESCRIPTORS, KEEPER, STEPS } from './keeper/keeper-elf.ts';

export interface StartParts {
  readonly libc: Libc;
  /** Contract: all of them left open. */
  readonly keeper: number;
  readonly starter: number;
  readonly rules: number;
  readonly scope: number;
  readonly questions: number;
  readonly folder: number;
  readonly runAs: Account | undefined;
  /** A file that everybody may read, and that no command may: that it cannot is seen before it starts. */
  readonly canary: string;
  /** A name that no other command of ours has had. */
  readonly name: string;
  /** What the end of this process closes, if nobody did before. */
  readonly controls: Set<number>;
}

export interface WaitingCage extends Waiting {
  /** Whether the keeper was ended from outside, and everybody else had to be looked for. */
  wasLost(): boolean;
}

const MAX_COMPLAINT = 4096;

/** Contract: resolves when the shell inside was refused the canary and is ready; rejects with SANDBOX_UNAVAILABLE. */
export async function startCage(parts: StartParts): Promise<WaitingCage> {
  const { child, control, streams, report } = launch(parts);
  const complaint = gather(child.stderr, MAX_COMPLAINT);
  child.stdin?.on('error', () => {});
  child.stdin?.write(readyLine(parts.canary));
  let spawnError = '';
  const exited = new Promise<number | undefined>((resolve) => {
    child.once('exit', (code) => resolve(code ?? undefined));
    child.once('error', ({ message }) => {
      spawnError = message;
      resolve(undefined);
    });
  });
  const tooLate = setTimeout(() => child.kill('SIGKILL'), MAX_START_MS);
  const byte = await Promise.race([report.ready, exited]);
  clearTimeout(tooLate);
  const first = child.pid === undefined ? undefined : factsOf(child.pid);
  const starter = first === undefined ? undefined : childrenOf(first.pid)[0];
  if (byte !== READY || first === undefined || starter === undefined) {
    control.close();
    const code = await exited;
    for (const stream of Object.values(streams)) stream.destroy();
    throw notStarted(spawnError || (STEPS.get(code ?? -1) ?? complaint().trim()));
  }
  let wasLost = false;
  return {
    ...streams,
    first,
    starter,
    begun: report.begun,
    report: report.rest,
    handOver: (script) => child.stdin?.end(script),
    wasLost: () => wasLost,
    end: async () => {
      control.close();
      // The keeper ends after everybody else, unless it was ended itself.
      wasLost = (await exited) !== 0;
      if (wasLost) await sweep(parts.libc, { first, mark: parts.name });
      child.stdin?.destroy();
    },
  };
}

/** Before anything is said: a file that everybody may read is not to be read. */
function readyLine(canary: string): string {
  return `if (: <'${canary}') 2>/dev/null; then echo 'a file that nobody inside may read was read' >&2; exit 1; fi; exec 1>&${STREAMS.stdout} 2>&${STREAMS.stderr} ${STREAMS.stdout}>&- ${STREAMS.stderr}>&-; printf ${READY} >&${REPORT}\n`;
}

function launch(parts: StartParts) {
  using theirs = new Opened();
  const pipe = () => parts.libc.pipe();
  const [stdin, stdout, stderr, report, control] = [pipe(), pipe(), pipe(), pipe(), pipe()];
  for (const end of [stdin.read, stdout.write, stderr.write, report.write, control.read]) {
    theirs.add(end);
    // Programs open their streams by name, which asks for the rights of whoever runs them.
    if (parts.runAs !== undefined) fchownSync(end, parts.runAs.uid, parts.runAs.gid);
  }
  parts.controls.add(control.write);
  const child = spawn(`/proc/self/fd/${DESCRIPTORS.program}`, [], {
    argv0: KEEPER,
    // By descriptor: whoever exchanges the folder's name changes nothing.
    cwd: `/proc/${process.pid}/fd/${parts.folder}`,
    env: {},
    stdio: [
      'pipe',
      'ignore',
      'pipe',
      stdin.read,
      stdout.write,
      stderr.write,
      report.write,
      parts.starter,
      control.read,
      parts.rules,
      parts.scope,
      parts.questions,
      parts.keeper,
    ],
    detached: true,
    ...parts.runAs,
  });
  const reading = { readable: true, writable: false };
  return {
    child,
    control: { close: () => closeOnce(parts.controls, control.write) },
    streams: {
      stdout: new Socket({ fd: stdout.read, ...reading }),
      stderr: new Socket({ fd: stderr.read, ...reading }),
      stdin: new Socket({ fd: stdin.write, readable: false, writable: true }),
    },
    report: readReport(new Socket({ fd: report.read, ...reading }), READY),
  };
}

function closeOnce(controls: Set<number>, descriptor: number): void {
  if (controls.delete(descriptor)) closeSync(descriptor);
}

function notStarted(why: string): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the sandbox did not start: ${why || 'it ended before it was ready'}`,
    { help: '`palyra sandbox status` shows what this machine allows' },
  );
}
