import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Bytes, PalyraError, quote, sha256Hex } from '@palyra/kernel';
import { hasOwnMountNamespace } from '../entry-namespace.ts';
import { hardenProcess } from '../harden.ts';
import { type Libc, openLibc } from '../libc.ts';
import { type Machine, compileFilter } from '../seccomp/compile.ts';
import { openQuickStart } from '../quick-start.ts';
import { userSwitchElf } from '../starter/user-switch.ts';
import { waitingStarterElf } from '../starter/waiting-starter.ts';
import { sealProgram } from '../tier-b-process/starter-file.ts';
import type { PoolOptions } from '../pool/pool.ts';
import type { WayOutPort } from '../way-out.ts';
import { Afterwards } from './afterwards.ts';
import { BWRAP, identifyBwrap } from './bwrap-binary.ts';
import type { QuickParts } from './bwrap-process.ts';
import { findGroups, foldersOf, groupName, sweepFolders } from './cgroup.ts';
import { type Furniture, furnish } from './furniture.ts';
import { Gate } from './gate.ts';
import { GroupShelf } from './group-shelf.ts';
import { Blanks } from './guard/blanks.ts';
import { MountPoints } from './guard/mount-points.ts';
import { DEFAULT_GUARD, type GuardRules } from './guard/rules.ts';
import type { LaunchParts } from './launch.ts';
import { type Account, mappingNamespace } from './mapped-workspace.ts';
import { type CageSurroundings, INSIDE_ID, type System } from './plan.ts';
import { type Network, readSystem } from './system.ts';

export interface TierCOptions {
  /** Ours alone, and no other process's; made when it is missing. As root others must be able to pass through. */
  readonly folder: string;
  readonly guard?: GuardRules;
  /** Without it nobody can be talked to by name. */
  readonly wayOut?: WayOutPort;
  /** Without it every sandbox is made when it is needed. */
  readonly pool?: PoolOptions;
}

/** What is known once and used by every sandbox. */
export interface Workshop {
  readonly libc: Libc;
  readonly bwrap: string;
  readonly folder: string;
  /** Where what a sandbox trusts is written, one file for each. */
  readonly authorities: string;
  readonly wayOut: WayOutPort | undefined;
  /**
   * Who makes a sandbox: each holds mounts of ours meanwhile, which every other one copies, so that many
   * at once take far longer than one after the other.
   */
  readonly starts: Gate;
  /** What is done behind the answers. */
  readonly afterwards: Afterwards;
  readonly systems: Readonly<Record<Network, System>>;
  readonly furniture: Furniture;
  readonly mountPoints: MountPoints;
  readonly guard: GuardRules;
  readonly groups: GroupShelf | undefined;
  readonly filter: Bytes;
  readonly filterHash: string;
  readonly starter: Bytes;
  /** Absent where the system lets no program run that no folder holds. */
  readonly quick: QuickParts | undefined;
  /** A name that no other sandbox of ours has had. */
  readonly nextName: () => string;
  /** Present for root alone: whom commands run as, and the maps of ids, by owner. */
  readonly root: RootParts | undefined;
}

export interface RootParts {
  readonly account: Account;
  readonly ownsMounts: boolean;
  mapFor(owner: Account): Promise<number>;
}

/** With a pool the next sandbox of a workspace is made soon after the last. */
const LINGER_MS = 1000;
const MAX_WAITING = 1024;

/** Contract: throws SANDBOX_UNAVAILABLE; what it opened is closed by `undo`. */
export function openWorkshop(options: TierCOptions, undo: DisposableStack): Workshop {
  const { folder, guard, wayOut } = options;
  const machine = machineOf(process.arch);
  const libc = openLibc();
  const { path: bwrap } = identifyBwrap(BWRAP);
  hardenProcess(libc);
  const groups = findGroups();
  const filter = compileFilter(machine, {
    unixSockets: 'refuse',
    memoryFiles: groups === undefined ? 'refuse' : 'allow',
  });
  const systems = { own: readSystem('own'), shared: readSystem('shared') };
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  sweepFolders([folder, ...foldersOf(groups)]);
  let names = 0;
  const mark = { tier: 'c', maker: randomBytes(4).toString('hex') } as const;
  const nextName = () => {
    names += 1;
    return groupName(mark, names);
  };
  const [ledger, authorities] = [join(folder, 'ledger'), join(folder, 'authorities')];
  const blanks = join(folder, 'blanks');
  rmSync(authorities, { recursive: true, force: true });
  for (const ours of [ledger, blanks]) mkdirSync(ours, { recursive: true, mode: 0o700 });
  // bwrap looks for what it binds by its path, and as root it runs as somebody without rights.
  mkdirSync(authorities, { recursive: true });
  chmodSync(authorities, 0o711);
  return {
    libc,
    bwrap,
    folder,
    authorities,
    wayOut,
    starts: new Gate({ width: 2 * availableParallelism(), mostWaiting: MAX_WAITING }),
    afterwards: new Afterwards(),
    systems,
    furniture: furnish(join(folder, 'furniture'), systems),
    mountPoints: undo.use(
      new MountPoints({
        libc,
        folder: ledger,
        lingerMs: options.pool === undefined ? 0 : LINGER_MS,
        blanks: new Blanks(libc, blanks),
      }),
    ),
    guard: guard ?? DEFAULT_GUARD,
    groups: groups && new GroupShelf(groups, nextName),
    filter,
    filterHash: sha256Hex(filter),
    starter: waitingStarterElf(machine),
    quick: quickParts(libc, machine, undo),
    nextName,
    root: process.geteuid?.() === 0 ? rootParts(undo) : undefined,
  };
}

/** Who lays the guards: whoever has mounts of their own, at any moment until the command starts. */
export function guardsBy({ root }: Workshop): CageSurroundings['guardsBy'] {
  return root?.ownsMounts === true ? 'maker' : 'bwrap';
}

/** What every sandbox that runs as the same user is started with. */
export function launchParts(workshop: Workshop, runAs: Account | undefined): LaunchParts {
  const { bwrap, libc, filter, starter, quick } = workshop;
  return { bwrap, libc, texts: { seccomp: filter, starter }, runAs, quick };
}

function quickParts(libc: Libc, machine: Machine, undo: DisposableStack): QuickParts | undefined {
  const switches = new Map<string, number>();
  const userSwitch = (account: Account) => {
    const key = `${account.uid}:${account.gid}`;
    const known = switches.get(key);
    if (known !== undefined) return known;
    const made = sealProgram(libc, userSwitchElf(machine, account));
    switches.set(key, made);
    return made;
  };
  undo.defer(() => {
    for (const descriptor of switches.values()) closeSync(descriptor);
  });
  try {
    if (process.geteuid?.() === 0) userSwitch({ uid: INSIDE_ID, gid: INSIDE_ID });
    return { start: openQuickStart(libc), userSwitch };
  } catch {
    // Then Node starts it, which needs no such program.
    return undefined;
  }
}

function rootParts(undo: DisposableStack): RootParts {
  const account = { uid: INSIDE_ID, gid: INSIDE_ID };
  const maps = new Map<string, Promise<number>>();
  undo.defer(() => {
    for (const map of maps.values()) void map.then(closeSync, () => {});
  });
  return {
    account,
    ownsMounts: hasOwnMountNamespace(),
    mapFor: (owner) => {
      const key = `${owner.uid}:${owner.gid}`;
      const map = maps.get(key) ?? mappingNamespace(owner, account);
      maps.set(key, map);
      return map;
    },
  };
}

function machineOf(arch: string): Machine {
  if (process.platform === 'linux' && (arch === 'x64' || arch === 'arm64')) return arch;
  throw new PalyraError('SANDBOX_UNAVAILABLE', `there is no such sandbox for ${quote(arch)}`);
}
