import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import type { Ending, SandboxRequest } from '../model.ts';
import { type Group, makeGroup } from './cgroup.ts';
import { Opened } from './descriptors.ts';
import { exchanged, observeGuards } from './guard/observe-guards.ts';
import { type Account, cannotMap, mapWorkspace } from './mapped-workspace.ts';
import { startMeter } from './meter.ts';
import { observe } from './observe.ts';
import type { Descriptor } from './plan.ts';
import { type Watch, runIn } from './run.ts';
import { networkOf } from './system.ts';
import { type Opening, WORKSPACE_AT } from './prepare.ts';
import type { Workshop } from './workshop.ts';
import { type Waiting, startWaiting } from './waiting.ts';
import { type Workspace, openPlace } from './workspace.ts';

export const EXECUTOR = 'sandbox_tier_c_linux_bubblewrap';

export interface Order {
  readonly request: SandboxRequest;
  readonly prepared: Opening;
}

/** Makes the sandbox, looks at it, runs the command in it, and leaves nothing behind. */
export async function execute(workshop: Workshop, order: Order, watch: Watch): Promise<Ending> {
  const { request, prepared } = order;
  const { workspace, plan } = prepared;
  const points = workshop.mountPoints.hold(workspace, request.workspace, plan.guarded);
  let ending: Ending | undefined;
  let left: readonly string[] = [];
  try {
    const { waiting, weaknesses } = await start(workshop, order);
    ending = await inSandbox(workshop, { ...order, waiting, weaknesses }, watch);
  } finally {
    left = points.release();
  }
  if (left.length === 0) return ending;
  const changed = left.map((path) => `\`${path}\` was changed meanwhile and stays`);
  const { posture } = ending;
  return { ...ending, posture: { ...posture, weaknesses: [...posture.weaknesses, ...changed] } };
}

interface Started extends Order {
  readonly waiting: Waiting;
  readonly weaknesses: readonly string[];
}

async function inSandbox(workshop: Workshop, started: Started, watch: Watch): Promise<Ending> {
  const { request, prepared, waiting } = started;
  const weaknesses = [...started.weaknesses];
  let group: Group | undefined;
  try {
    group = fillGroup(workshop, waiting, request);
    if (group === undefined) weaknesses.push(NO_GROUP);
    const { namespaces } = observe(waiting.shell, networkOf(request.egress));
    const meter = startMeter({ group, first: waiting.first.pid }, request.limits);
    const order = { request, script: prepared.plan.script, meter };
    const outcome = await runIn(waiting, order, watch);
    return {
      ...outcome,
      posture: {
        executor: EXECUTOR,
        namespaces,
        seccomp: prepared.plan.filterHash,
        memory: group === undefined ? 'best-effort' : 'cgroup',
        egress: request.egress.mode,
        isWarm: false,
        weaknesses,
      },
    };
  } finally {
    await waiting.end();
    if (group !== undefined && !(await removeGroup(group))) weaknesses.push(GROUP_STAYS);
  }
}

const NO_GROUP =
  'memory and processor time are measured and not enforced by the kernel: no cgroup is delegated to the gateway';

/** While the sandbox is still idle: whatever the command will start descends from this shell. */
function fillGroup(
  { groups, nextName }: Workshop,
  { shell }: Waiting,
  { limits }: SandboxRequest,
): Group | undefined {
  if (groups === undefined) return undefined;
  try {
    const group = makeGroup(groups, nextName(), limits);
    group.add(shell);
    return group;
  } catch (cause) {
    throw new PalyraError('SANDBOX_FAILED', 'no cgroup could be made for the sandbox', { cause });
  }
}

const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 5;

const GROUP_STAYS = 'the cgroup of this sandbox, now empty, could not be removed';

/** The kernel lets go of a group somewhat after its last process. */
async function removeGroup(group: Group): Promise<boolean> {
  for (let left = REMOVE_TRIES; left > 0; left -= 1) {
    try {
      group.remove();
      return true;
    } catch {
      await new Promise<void>((resolve) => setTimeout(resolve, REMOVE_PAUSE_MS));
    }
  }
  return false;
}

async function start(
  workshop: Workshop,
  { request, prepared }: Order,
): Promise<Pick<Started, 'waiting' | 'weaknesses'>> {
  using stack = new DisposableStack();
  const opened = stack.use(new Opened());
  const access = await accessTo(workshop, prepared.workspace, stack);
  const descriptors = openAll(workshop, { request, prepared }, { root: access.root, opened });
  const waiting = await startWaiting(prepared.plan, {
    bwrap: workshop.bwrap,
    libc: workshop.libc,
    texts: { seccomp: workshop.filter, starter: workshop.starter },
    descriptors,
    runAs: access.runAs,
  });
  try {
    const { guarded } = prepared.plan;
    const expected = guarded.map((_, place) => descriptors.get(`guard:${place}`) ?? -1);
    observeGuards(guarded, { pid: waiting.shell, workspace: WORKSPACE_AT.slice(1), expected });
    return { waiting, weaknesses: access.weaknesses };
  } catch (error) {
    await waiting.end();
    throw error;
  }
}

interface Access {
  /** The workspace as the command's user can use it. */
  readonly root: number;
  readonly runAs: Account | undefined;
  readonly weaknesses: readonly string[];
}

const O_PATH_FOLDER = 0o10000000 | 0o200000;

/** As root, nothing runs as root: in an id-mapped view of the workspace, or else as its owner. */
async function accessTo(
  { root, libc, folder, nextName }: Workshop,
  workspace: Workspace,
  stack: DisposableStack,
): Promise<Access> {
  const { descriptor, owner } = workspace;
  if (root === undefined) return { root: descriptor, runAs: undefined, weaknesses: [] };
  try {
    if (!root.ownsMounts) throw cannotMap('it was not started in a mount namespace of its own');
    const namespace = await root.mapFor(owner);
    const path = join(folder, nextName());
    const mapped = stack.use(mapWorkspace(workspace, { libc, path, namespace }));
    const view = stack.adopt(openSync(mapped.path, O_PATH_FOLDER), closeSync);
    return { root: view, runAs: root.account, weaknesses: [] };
  } catch (error) {
    if (owner.uid === 0 || owner.gid === 0) throw error;
    return { root: descriptor, runAs: owner, weaknesses: [AS_OWNER] };
  }
}

const AS_OWNER = 'commands run as the owner of the workspace: this machine cannot map its ids';

function openAll(
  { furniture }: Workshop,
  { request, prepared }: Order,
  { root, opened }: { readonly root: number; readonly opened: Opened },
): ReadonlyMap<Descriptor, number> {
  const etc = opened.add(openSync(furniture.etc[networkOf(request.egress)], O_PATH_FOLDER));
  const guards = prepared.plan.guarded.map(({ path, how }, place) => {
    const mask = furniture.maskFor(how);
    const descriptor = mask === undefined ? openGuarded(root, path) : openSync(mask, O_PATH);
    return [`guard:${place}`, opened.add(descriptor)] as const;
  });
  return new Map<Descriptor, number>([['etc', etc], ['workspace', root], ...guards]);
}

const O_PATH = 0o10000000;

function openGuarded(root: number, path: string): number {
  try {
    return openPlace(root, path);
  } catch (cause) {
    throw exchanged(path, cause);
  }
}
