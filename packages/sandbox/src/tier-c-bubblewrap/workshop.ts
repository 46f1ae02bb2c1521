import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Bytes, PalyraError, quote, sha256Hex } from '@palyra/kernel';
import { hasOwnMountNamespace } from '../entry-namespace.ts';
import { hardenProcess } from '../harden.ts';
import { type Libc, openLibc } from '../libc.ts';
import { type Machine, compileFilter } from '../seccomp/compile.ts';
import { openSpawn } from '../posix-spawn.ts';
import { openQuickStart } from '../quick-start.ts';
import { openStandIns } from '../stand-in.ts';
import { standInElf } from '../starter/stand-in-elf.ts';
import { userSwitchElf } from '../starter/user-switch.ts';
import { waitingStarterElf } from '../starter/waiting-starter.ts';
import { sealProgram } from '../tier-b-process/starter-file.ts';
import type { PoolOptions } from '../pool/pool.ts';
import type { WayOutPort } from '../way-out.ts';
import { Afterwards } from './afterwards.ts';
import { BWRAP, identifyBwrap } from './bwrap-binary.ts';
import type { BwrapStandIn, QuickParts } from './bwrap-process.ts';
import { findGroups, foldersOf, groupName, sweepFolders } from './cgroup.ts';
import { type Furniture, furnish } from './furniture.ts';
import { Gate } from './gate.ts';
import { GroupShelf } from './group-shelf.ts';
import { Blanks } from './guard/blanks.ts';
import { MountPoints } from './guard/mount-points.ts';
import { DEFAULT_GUARD, type GuardRules } from './guard/rules.ts';
import { type LaunchParts, bwrapWords } from './launch.ts';
import { STARTER } from './launcher.ts';
import { type Account, mappingNamespace } from './mapped-workspace.ts';
import { MountPlaces } from './mount-places.ts';
import { type CageSurroundings, INSIDE_ID, type System } from './plan.ts';
import { SeenPrograms } from './seen-programs.ts';
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
  /** What views of workspaces are mounted on. */
  readonly mountPlaces: MountPlaces;
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
  readonly programs: SeenPrograms;
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
  const { ledger, authorities, blanks, places } = makeFolders(folder);
  sweepFolders([folder, places, ...foldersOf(groups)]);
  let names = 0;
  const mark = { tier: 'c', maker: randomBytes(4).toString('hex') } as const;
  const nextName = () => {
    names += 1;
    return groupName(mark, names);
  };
  const quick = quickParts(libc, machine, undo);
  return {
    libc,
    bwrap,
    mountPlaces: undo.use(new MountPlaces(places, nextName)),
    authorities,
    wayOut,
    starts: new Gate({ width: 2 * availableParallelism(), mostWaiting: MAX_WAITING }),
    afterwards: new Afterwards(),
    systems,
    programs: new SeenPrograms(),
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
    groups:
      groups &&
      new GroupShelf({ groups, nextName, startStandIn: () => quick?.startStandIn(bwrap) }),
    filter,
    filterHash: sha256Hex(filter),
    starter: waitingStarterElf(machine),
    quick,
    nextName,
    root: process.geteuid?.() === 0 ? rootParts(undo) : undefined,
  };
}

function makeFolders(folder: string) {
  const at = (name: string) => join(folder, name);
  const ours = { ledger: at('ledger'), blanks: at('blanks') };
  // bwrap looks for what it binds by its path, and as root it runs as somebody without rights.
  const passed = { authorities: at('authorities'), places: at('places') };
  rmSync(passed.authorities, { recursive: true, force: true });
  for (const path of Object.values(ours)) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const path of [folder, ...Object.values(passed)]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o711);
  }
  return { ...ours, ...passed };
}

/** Who lays the guards: whoever has mounts of their own, at any moment until the command starts. */
export function guardsBy({ root }: Workshop): CageSurroundings['guardsBy'] {
  return root?.ownsMounts === true ? 'maker' : 'bwrap';
}

/** What every sandbox that runs as the same user is started with. */
export function launchParts(
  workshop: Workshop,
  runAs: Account | undefined,
  standIn: BwrapStandIn | undefined,
): LaunchParts {
  const { bwrap, libc, filter, starter, quick } = workshop;
  return { bwrap, libc, texts: { seccomp: filter, starter }, runAs, quick, standIn };
}

function quickParts(libc: Libc, machine: Machine, undo: DisposableStack): QuickParts | undefined {
  const programs = new Map<string, number>();
  const sealed = (key: string, make: () => Bytes) => {
    const program = programs.get(key) ?? sealProgram(libc, make());
    programs.set(key, program);
    return program;
  };
  undo.defer(() => {
    for (const descriptor of programs.values()) closeSync(descriptor);
  });
  const account = process.geteuid?.() === 0 ? INSIDE : undefined;
  const userSwitch = ({ uid, gid }: Account) =>
    sealed(`${uid}:${gid}`, () => userSwitchElf(machine, { uid, gid }));
  try {
    if (account !== undefined) userSwitch(account);
    const standIn = sealed('stand-in', () => standInElf(machine, account));
    const spawn = openSpawn();
    const startStandIn = openStandIns(libc, spawn);
    return {
      start: openQuickStart(libc, spawn),
      userSwitch,
      startStandIn: (bwrap) => {
        const words = bwrapWords(STARTER);
        const started = startStandIn({ program: standIn, words: [bwrap, ...words] });
        return started && { ...started, as: { bwrap, words, runAs: account } };
      },
    };
  } catch {
    // Then Node starts it, which needs no such program.
    return undefined;
  }
}

/** Who commands of root's gateway are. */
const INSIDE: Account = { uid: INSIDE_ID, gid: INSIDE_ID };

function rootParts(undo: DisposableStack): RootParts {
  const account = INSIDE;
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
