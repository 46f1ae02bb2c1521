import { PalyraError } from '@palyra/kernel';
import { checkUnchanged } from '../executables/judge.ts';
import { identityOf } from '../executables/open-executable.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import { type Group, makeGroupOf, removeGroup } from '../tier-c-bubblewrap/cgroup.ts';
import { startMeter } from '../tier-c-bubblewrap/meter.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { runIn } from '../tier-c-bubblewrap/run.ts';
import { findings, insist, namespacesOf } from './observe.ts';
import type { Opening } from './prepare.ts';
import { type WaitingProcess, startProcess } from './start.ts';
import type { Workshop } from './workshop.ts';

export const EXECUTOR = 'sandbox_tier_b_rlimits';

/** What tier B is, however well it goes. */
export const STANDING_WEAKNESS =
  'the words were checked and nothing is enforced: the program can open every file and address that its user can, and a path can change after it was checked';

export interface Order {
  readonly request: SandboxRequest;
  readonly prepared: Opening;
  readonly weaknesses: readonly string[];
}

/** Starts the launcher, looks at it, looks at everything again, and runs the command. */
export async function execute(workshop: Workshop, order: Order, watch: RunWatch): Promise<Ending> {
  const { request, prepared } = order;
  const { plan, executable, folder } = prepared;
  const waiting = await startProcess(plan, {
    ...workshop,
    folder,
    program: executable.descriptor,
    name: workshop.nextName(),
  });
  let group: Group | undefined;
  const weaknesses = [STANDING_WEAKNESS, ...order.weaknesses, ...prepared.weaknesses];
  try {
    group = fillGroup(workshop, waiting, request);
    if (group === undefined) weaknesses.push(NO_GROUP);
    insist(findings({ shell: waiting.starter, way: plan.way, folder: identityOf(folder) }));
    prepared.checkAgain();
    checkUnchanged(executable.identity, identityOf(executable.descriptor), executable.calledAs);
    const namespaces = namespacesOf(waiting.starter);
    const source = { group, first: waiting.first.pid };
    const meterOn = () => startMeter(source, request.limits);
    const running = { request, script: plan.script, startMeter: meterOn };
    const outcome = await runIn(waiting, running, watch);
    if (!waiting.isSwept()) weaknesses.push(NOT_SWEPT);
    const memory = group === undefined ? 'best-effort' : 'cgroup';
    const { mode: egress } = request.egress;
    return {
      ...outcome,
      posture: {
        executor: EXECUTOR,
        namespaces,
        seccomp: '',
        memory,
        egress,
        hosts: [],
        isWarm: false,
        weaknesses,
      },
    };
  } finally {
    await waiting.end();
    for (const stream of [waiting.stdin, waiting.stdout, waiting.stderr]) stream.destroy();
    if (group !== undefined && !(await removeGroup(group))) weaknesses.push(GROUP_STAYS);
  }
}

const NO_GROUP =
  'memory and processor time are measured and not enforced by the kernel, and what waits in sockets is not even measured: no cgroup is delegated to the gateway';
const NOT_SWEPT = 'processes of this command were still there when its end was given up';
const GROUP_STAYS = 'the cgroup of this command could not be removed';

/** While the launcher is still idle: nothing can be elsewhere by the time the command starts. */
function fillGroup(
  workshop: Workshop,
  { first, starter }: WaitingProcess,
  { limits }: SandboxRequest,
): Group | undefined {
  const { groups } = workshop;
  if (groups === undefined) return undefined;
  try {
    const pids = new Set([first.pid, starter]);
    return makeGroupOf([...pids], groups, workshop.nextName(), limits);
  } catch (cause) {
    throw new PalyraError('SANDBOX_FAILED', 'no cgroup could be made for the command', { cause });
  }
}
