import { PalyraError, WORKSPACE_IN_CAGE } from '@palyra/kernel';
import type { Limits } from '../model.ts';
import { isOutOfDescriptors, outOfDescriptors } from '../out-of-descriptors.ts';
import type { WayOut } from '../way-out.ts';
import { type Authorities, makeAuthorities } from './authorities.ts';
import { type Group, removeGroup } from './cgroup.ts';
import type { Stocked } from './group-shelf.ts';
import { Opened } from './descriptors.ts';
import { observeGuards } from './guard/observe-guards.ts';
import { type MountWatch, watchMounts } from './mount-watch.ts';
import { observe } from './observe.ts';
import { accessTo, layGuards, openAll } from './openings.ts';
import { type CagePlan, needsWayOut } from './plan.ts';
import type { Drawn, Site } from './prepare.ts';
import { type ProcessFacts, factsOf } from './processes.ts';
import { networkOf } from './system.ts';
import { type WaitingCage, startWaiting } from './waiting.ts';
import { WayOutOpening } from './way-out-opening.ts';
import { type Workshop, guardsBy, launchParts } from './workshop.ts';

/** A sandbox that was made and looked at, in which nothing runs yet but a starter that waits. */
export interface Cage {
  readonly plan: CagePlan;
  readonly waiting: WaitingCage;
  readonly group: Group | undefined;
  readonly namespaces: readonly string[];
  readonly weaknesses: readonly string[];
  readonly wayOut: WayOut | undefined;
  /** The waiting starter as it was when everything was looked at. */
  readonly starter: ProcessFacts;
  /** Since before its guards were looked at: whether it is still what was seen then. */
  readonly mounts: Omit<MountWatch, keyof AsyncDisposable>;
  /** What of its masks will stay in the workspace. Contract: before its end. */
  changed(): readonly string[];
  /** What its command did that nothing could keep it from. Contract: after the command, before its end. */
  lookAgain(): Promise<readonly string[]>;
  /**
   * Contract: may be called again. Resolves when nothing that its command started is left; the starter, mounts,
   * masks and the group are taken away behind it (`afterwards`).
   */
  end(): Promise<void>;
}

/** Contract: takes `site` over, also when it rejects. */
export async function startCage(workshop: Workshop, site: Site): Promise<Cage> {
  await using undo = new AsyncDisposableStack();
  const { request } = site;
  const behind = new AsyncDisposableStack();
  behind.defer(() => site.leave());
  // The kernel lets go of it all later than of the processes; nobody has to wait for that.
  undo.defer(() => workshop.afterwards.add(soon(() => behind.disposeAsync())));
  const name = workshop.nextName();
  const authorities = needsWayOut(request)
    ? behind.use(makeAuthorities(workshop.authorities, name))
    : undefined;
  const drawn = site.draw();
  const made = await start(workshop, { site, drawn, name, authorities, behind });
  const { plan } = drawn;
  const { waiting, weaknesses, wayOut, group, mounts } = made;
  if (wayOut !== undefined) undo.defer(() => wayOut.close());
  behind.defer(() => waiting.gone());
  // First of all: the next sandbox may be asked for at once.
  behind.defer(() => restock(workshop, request.limits));
  undo.defer(() => waiting.end());
  const { namespaces } = observe(waiting.starter, networkOf(request.egress));
  if (wayOut?.authorityPem !== undefined) authorities?.write(wayOut.authorityPem);
  const starter = factsOf(waiting.starter);
  if (starter === undefined) throw vanished();
  const ending = undo.move();
  let ended: Promise<void> | undefined;
  return {
    plan,
    waiting,
    group,
    namespaces,
    weaknesses: [...plan.weaknesses, ...weaknesses, ...(group === undefined ? [NO_GROUP] : [])],
    wayOut,
    starter,
    mounts,
    changed: () => site.stay.changed().map((path) => `\`${path}\` was changed meanwhile and stays`),
    lookAgain: () => site.stay.lookAgain(workshop.guard, plan.guarded),
    end: () => (ended ??= ending.disposeAsync()),
  };
}

const NO_GROUP =
  'memory and processor time are measured and not enforced by the kernel, and what waits in sockets is not even measured: no cgroup is delegated to the gateway';

/** Contract: both go behind the sandbox. */
async function groupFor(
  { groups }: Workshop,
  { site, behind }: Pick<Start, 'site' | 'behind'>,
): Promise<Stocked | undefined> {
  try {
    const stocked = await groups?.take(site.request.limits);
    if (stocked === undefined) return undefined;
    const { group, standIn } = stocked;
    behind.defer(async () => void (await removeGroup(group)));
    if (standIn !== undefined) behind.use(standIn);
    return stocked;
  } catch (cause) {
    throw noGroup(cause);
  }
}

/** Has the group of the next one made in time that nobody needs. */
export function restock({ groups, afterwards }: Workshop, limits: Limits): void {
  if (groups !== undefined) afterwards.add(soon(() => groups.restock(limits)));
}

/**
 * While the sandbox is still idle: whatever the command will start descends from this starter, which is in
 * the group already if the first process was before it made the starter.
 */
function fill(group: Group, starter: number): void {
  try {
    if (!group.holds(starter)) group.add(starter);
  } catch (cause) {
    throw noGroup(cause);
  }
}

function noGroup(cause: unknown): PalyraError {
  if (cause instanceof PalyraError) return cause;
  if (isOutOfDescriptors(cause)) return outOfDescriptors(cause);
  return new PalyraError('SANDBOX_FAILED', 'no cgroup could be made for the sandbox', { cause });
}

function vanished(): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the sandbox ended while it was looked at');
}

function placeGuards({ stay }: Site, { guarded }: CagePlan): void {
  try {
    stay.add(guarded);
  } catch (cause) {
    throw new PalyraError('SANDBOX_FAILED', 'the workspace has no room for what guards it', {
      cause,
      help: 'every guarded name that is missing needs an empty file meanwhile: look whether the disk is full or read-only',
    });
  }
}

interface Start {
  readonly site: Site;
  readonly drawn: Drawn;
  readonly name: string;
  readonly authorities: Authorities | undefined;
  /** What is done when it is gone. */
  readonly behind: AsyncDisposableStack;
}

async function start(workshop: Workshop, order: Start) {
  const { site, drawn, name, authorities, behind } = order;
  using stack = new DisposableStack();
  const opened = stack.use(new Opened());
  const stocked = await groupFor(workshop, order);
  const group = stocked?.group;
  const { workspace, request } = site;
  const { plan } = drawn;
  const access = await accessTo(workshop, workspace, stack);
  const descriptors = openAll(workshop, drawn, { root: access.root, opened });
  if (authorities !== undefined) descriptors.set('authorities', authorities.descriptor);
  await using way = new WayOutOpening(workshop.wayOut, { id: name, egress: request.egress });
  await using undo = new AsyncDisposableStack();
  let joining: Promise<void> | undefined;
  const waiting = await startWaiting(plan, {
    ...launchParts(workshop, access.runAs, stocked?.standIn),
    listener: (channel) => way.listener(channel),
    onChannel: (child) => way.open(child),
    onBusy: () => placeGuards(site, plan),
    // No sooner: bwrap reads the list of all mounts whenever it makes another.
    onWorkspace: () => layGuards(workshop, drawn, { root: access.root, descriptors }),
    // Unless bwrap was in it before. Looked at below: whoever was too late is put into it then.
    onFirst: (pid) => {
      if (group?.holds(pid) === false) joining = group.addSoon(pid).catch(() => {});
    },
    isGated: guardsBy(workshop) === 'bwrap',
    descriptors,
  });
  undo.defer(() => waiting.gone());
  undo.defer(() => waiting.end());
  access.part();
  const mounts = watchMounts(workshop.libc, waiting.starter);
  behind.use(mounts);
  const expected = plan.guarded.map((_, place) => descriptors.get(`guard:${place}`) ?? -1);
  const { libc } = workshop;
  const at = { libc, pid: waiting.starter, workspace: WORKSPACE_IN_CAGE.slice(1), expected };
  observeGuards(plan.guarded, { ...at, root: access.root });
  await joining;
  if (group !== undefined) fill(group, waiting.starter);
  const wayOut = await way.take();
  undo.move();
  // To let go of mounts takes the kernel a while, which the command does not have to wait for.
  const held = stack.move();
  const letGo = () => {
    held.dispose();
    // Our own mounts are gone again: who asks now spares the next command the look at what is mounted.
    site.stay.isAsScanned();
  };
  workshop.afterwards.add(soon(letGo));
  return { waiting, weaknesses: access.weaknesses, wayOut, group, mounts };
}

/** What a command is answered with goes out first. */
async function soon(work: () => void | Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    await work();
  } catch {
    // What is still there is swept away when the next workshop opens.
  }
}
