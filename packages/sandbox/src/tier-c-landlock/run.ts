import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { faultOf } from '../faults.ts';
import type { Ending, Posture, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { countProcesses } from '../tier-b-process/limits.ts';
import { type Group, makeGroupOf, removeGroup } from '../tier-c-bubblewrap/cgroup.ts';
import { startMeter } from '../tier-c-bubblewrap/meter.ts';
import { type Outcome, runIn } from '../tier-c-bubblewrap/run.ts';
import { type Broker, startBroker } from './broker.ts';
import { findings, insist } from './observe.ts';
import { scriptOf } from './plan.ts';
import type { Opening } from './prepare.ts';
import { rulesFor } from './rules.ts';
import { type Scratch, makeScratch, watchSize } from './scratch.ts';
import { type WaitingCage, startCage } from './start.ts';
import type { Workshop } from './workshop.ts';

export const EXECUTOR = 'sandbox_tier_c_linux_landlock';

export interface Order {
  readonly request: SandboxRequest;
  readonly prepared: Opening;
}

/** Makes the cage, looks at it, runs the command in it, and leaves nothing behind. */
export async function execute(workshop: Workshop, order: Order, watch: RunWatch): Promise<Ending> {
  const { plan } = order.prepared;
  const name = workshop.nextName();
  const scratch = makeScratch(join(workshop.folder, name), plan.runAs);
  const weaknesses = [...plan.weaknesses];
  let ending: Ending;
  try {
    ending = await inCage(workshop, { ...order, name, scratch }, watch);
  } finally {
    if (!(await scratch.remove())) weaknesses.push(SCRATCH_STAYS);
  }
  const { posture } = ending;
  return { ...ending, posture: { ...posture, weaknesses: [...weaknesses, ...posture.weaknesses] } };
}

interface Named extends Order {
  readonly name: string;
  readonly scratch: Scratch;
}

async function inCage(workshop: Workshop, order: Named, watch: RunWatch): Promise<Ending> {
  const { request, prepared, name, scratch } = order;
  const { plan } = prepared;
  const uid = plan.runAs?.uid ?? process.geteuid?.() ?? -1;
  const others = countProcesses(uid);
  const { waiting, broker } = await start(workshop, { ...order, uid });
  const weaknesses: string[] = [];
  let group: Group | undefined;
  try {
    group = fillGroup(workshop, waiting, order);
    if (group === undefined) weaknesses.push(NO_GROUP);
    insist(findings(waiting.starter));
    const source = { group, first: waiting.first.pid };
    const meterOn = () => startMeter(source, request.limits);
    const script = scriptOf(plan, { scratch: scratch.path, others, mark: name });
    const outcome = await within(order, watch, (narrower) =>
      runIn(waiting, { request, script, startMeter: meterOn }, narrower),
    );
    if (waiting.wasLost()) weaknesses.push(LOST);
    return { ...outcome, posture: postureOf(order, { group, weaknesses }) };
  } finally {
    await waiting.end();
    await broker.ended;
    for (const stream of [waiting.stdin, waiting.stdout, waiting.stderr]) stream.destroy();
    if (group !== undefined && !(await removeGroup(group)))
      weaknesses.push(`${GROUP_STAYS} (${name})`);
  }
}

const NO_GROUP =
  'memory, processor time and the number of processes are measured and not enforced by the kernel for this command alone, and what waits in sockets is not even measured: no cgroup is delegated to the gateway';
const LOST =
  'the keeper of this command was ended from outside: what was left was sought out, which is best effort';
const GROUP_STAYS = 'the cgroup of this command could not be removed';
const SCRATCH_STAYS = 'the temporary folder of this command could not be removed';

function postureOf(
  { request, prepared }: Order,
  seen: { readonly group: Group | undefined; readonly weaknesses: readonly string[] },
): Posture {
  return {
    executor: EXECUTOR,
    namespaces: [],
    seccomp: prepared.plan.filterHash,
    memory: seen.group === undefined ? 'best-effort' : 'cgroup',
    egress: request.egress.mode,
    hosts: [],
    isWarm: false,
    weaknesses: seen.weaknesses,
  };
}

async function start(
  { libc, keeper, starter, scope, canary, controls }: Workshop,
  order: Named & { readonly uid: number },
): Promise<{ readonly waiting: WaitingCage; readonly broker: Broker }> {
  const { prepared, scratch, name, uid } = order;
  const { plan, workspace, path, folder } = prepared;
  using stack = new DisposableStack();
  const room = stack.adopt(openSync(scratch.path, O_PATH_FOLDER), closeSync);
  const roots = { workspace: workspace.descriptor, scratch: room };
  const rules = stack.use(rulesFor(libc, plan.places, roots)).descriptor;
  const terms = { workspace: path, scratch: scratch.path, guarded: plan.guarded, uid };
  const broker = startBroker(libc, terms);
  const questions = stack.adopt(broker.theirs, closeSync);
  const { runAs } = plan;
  const parts = { libc, keeper, starter, rules, scope, questions, folder, canary, controls };
  const waiting = await startCage({ ...parts, runAs, name });
  return { waiting, broker };
}

const O_PATH_FOLDER = 0o10000000 | 0o200000;

/** The keeper stays out of it: whatever becomes of the command, somebody is left to end it. */
function fillGroup(
  { groups }: Workshop,
  { starter }: WaitingCage,
  { request, name }: Named,
): Group | undefined {
  if (groups === undefined) return undefined;
  try {
    return makeGroupOf([starter], groups, name, request.limits);
  } catch (cause) {
    throw new PalyraError('SANDBOX_FAILED', 'no cgroup could be made for the command', { cause });
  }
}

/** Ends a command whose temporary folder has grown too large, and says that it did. */
async function within(
  { scratch, request: { limits } }: Named,
  watch: RunWatch,
  run: (narrower: Pick<RunWatch, 'signal' | 'onOutput'>) => Promise<Outcome>,
): Promise<Outcome> {
  const over = new AbortController();
  const size = watchSize(scratch.path, limits.scratchBytes, () => over.abort());
  try {
    const signal = AbortSignal.any([watch.signal, over.signal]);
    const outcome = await run({ ...watch, signal });
    if (!over.signal.aborted || outcome.fault?.code !== 'CANCELLED') return outcome;
    return { ...outcome, fault: faultOf(tooMuch(limits.scratchBytes)) };
  } finally {
    size.stop();
  }
}

function tooMuch(bytes: number): PalyraError {
  return new PalyraError(
    'SANDBOX_QUOTA_EXCEEDED',
    `the command put more than ${bytes} bytes into its temporary folder`,
  );
}
