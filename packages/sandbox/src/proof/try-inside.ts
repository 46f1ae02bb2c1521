import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Ending } from '../model.ts';
import type { Machine } from '../seccomp/compile.ts';
import { readResults } from './caller-elf.ts';
import { callFinding, findingOf } from './findings.ts';
import { type Maker, requestFor } from './maker.ts';
import type { ProbeList } from './probe-list.ts';
import { callProgram, readCall } from './probes-calls.ts';
import { leftovers } from './probes-inside.ts';
import { readAnswers, scriptOf } from './script.ts';
import { INNER, type Site } from './site.ts';
import type { ProbeFinding } from './verdict.ts';

export interface SandboxTrial {
  readonly maker: Maker;
  readonly list: ProbeList;
  readonly site: Site;
  readonly signal: AbortSignal;
}

/** What came of one sandbox. */
export interface Tried {
  readonly ending: Ending;
  readonly findings: readonly ProbeFinding[];
}

/** Between what the shell tells and the results of the calls. */
const RECORD = 0x1e;
/** The program comes on standard input: it needs no place outside from which programs can be run. */
const MAKE_CALLS = [
  `c="$TMPDIR/calls"; cat > "$c" && chmod 700 "$c" && printf '\\036' && exec "$c"`,
];
/** What probes make on purpose. */
const MADE = ['made', 'link', 'set-id', 'other', 'big', 'device'];

/** Files, names, rights, processes, the kernel and the network, in one sandbox. */
export async function tryInside({ maker, list, site, signal }: SandboxTrial): Promise<Tried> {
  await using ear = await listen();
  const probes = list.inside(site);
  const calls = list.calls(ear.port);
  const trial = {
    script: scriptOf(probes, MAKE_CALLS),
    stdin: callProgram(machineOf(process.arch), calls),
  };
  const ending = await maker.run(requestFor(site, trial), signal);
  await maker.settle();
  const { answers, results } = readOutput(ending);
  const findings = [
    ...probes.map((probe) => findingOf(probe, answers.get(probe.id), { site, ending })),
    ...calls.map((call, place) => callFinding(call, readCall(results, place), ending)),
  ];
  return { ending, findings: [...findings, leftoverFinding(site)] };
}

function machineOf(arch: string): Machine {
  return arch === 'arm64' ? 'arm64' : 'x64';
}

function readOutput({ stdout }: Ending) {
  const end = stdout.indexOf(RECORD);
  const text = end < 0 ? stdout : stdout.subarray(0, end);
  return {
    answers: readAnswers(Buffer.from(text).toString('utf8')),
    results: readResults(end < 0 ? new Uint8Array() : stdout.subarray(end + 1)),
  };
}

/** Somebody on the machine's loopback whom nobody inside may reach. */
async function listen() {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: string | AddressInfo | null = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Everything is as it was: no mask, and nothing that was refused. */
export function leftoverFinding({ workspace }: Site): ProbeFinding {
  for (const name of MADE) rmSync(join(workspace, INNER, name), { force: true });
  const left = leftovers(workspace);
  return {
    id: 'files.leftovers',
    says: 'leave something in the workspace',
    expected: 'nothing',
    observed: left === '' ? 'nothing' : left,
    holds: left === '',
  };
}
