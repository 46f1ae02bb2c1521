import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PalyraError, quote, sha256Hex } from '@palyra/kernel';
import { hardenProcess } from '../harden.ts';
import { type Libc, openLibc } from '../libc.ts';
import { type Machine, compileFilter } from '../seccomp/compile.ts';
import { starterElf } from '../starter/starter-elf.ts';
import { sealProgram } from '../tier-b-process/starter-file.ts';
import {
  type Groups,
  findGroups,
  foldersOf,
  groupName,
  sweepFolders,
} from '../tier-c-bubblewrap/cgroup.ts';
import { DEFAULT_GUARD, type GuardRules } from '../tier-c-bubblewrap/guard/rules.ts';
import type { System } from '../tier-c-bubblewrap/plan.ts';
import { readSystem } from '../tier-c-bubblewrap/system.ts';
import { insistOnLandlock, makeScope } from './kernel.ts';
import { keeperElf } from './keeper/keeper-elf.ts';
import type { Place } from './plan.ts';
import { removeScratch } from './scratch.ts';
import { systemPlaces } from './system.ts';

export interface LandlockOptions {
  /** Ours alone, and no other process's; made when it is missing. As root others must be able to pass through. */
  readonly folder: string;
  readonly guard?: GuardRules;
}

/** What is known once and used by every sandbox. */
export interface Workshop {
  readonly libc: Libc;
  readonly folder: string;
  readonly system: System;
  readonly places: readonly Place[];
  readonly guard: GuardRules;
  readonly groups: Groups | undefined;
  readonly filterHash: string;
  readonly keeper: number;
  readonly starter: number;
  readonly scope: number;
  readonly canary: string;
  readonly controls: Set<number>;
  readonly isRoot: boolean;
  /** A name that no other sandbox of ours has had. */
  nextName(): string;
}

/** Contract: throws SANDBOX_UNAVAILABLE; what it opened is closed by `undo`. */
export function openWorkshop({ folder, guard }: LandlockOptions, undo: DisposableStack): Workshop {
  const machine = machineOf(process.arch);
  const libc = openLibc();
  insistOnLandlock(libc);
  hardenProcess(libc);
  const groups = findGroups();
  const filter = compileFilter(machine, {
    unixSockets: 'refuse',
    memoryFiles: groups === undefined ? 'refuse' : 'allow',
    ground: 'shared',
  });
  const seal = (program: Uint8Array<ArrayBuffer>) =>
    undo.adopt(sealProgram(libc, program), closeSync);
  const system = readSystem('own');
  const mark = { tier: 'c', maker: randomBytes(4).toString('hex') } as const;
  let names = 0;
  return {
    libc,
    folder,
    system,
    places: systemPlaces(system),
    guard: guard ?? DEFAULT_GUARD,
    groups,
    filterHash: sha256Hex(filter),
    keeper: seal(keeperElf(machine, filter)),
    starter: seal(starterElf(machine)),
    scope: undo.use(makeScope(libc)).descriptor,
    canary: furnish(folder, groups),
    controls: closedAtExit(undo),
    isRoot: process.geteuid?.() === 0,
    nextName: () => {
      names += 1;
      return groupName(mark, names);
    },
  };
}

/** Everything that runs ends with this process, whichever way it ends: a thread may still wait for its cage. */
function closedAtExit(undo: DisposableStack): Set<number> {
  const controls = new Set<number>();
  const closeAll = () => {
    for (const descriptor of controls) closeSync(descriptor);
    controls.clear();
  };
  process.once('exit', closeAll);
  undo.defer(() => {
    process.off('exit', closeAll);
    closeAll();
  });
  return controls;
}

/** Contract: the path of the canary; what those left who are no more is being removed. */
function furnish(folder: string, groups: Groups | undefined): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  sweepFolders(foldersOf(groups));
  for (const name of readdirSync(folder)) {
    const maker = /^palyra-c-(\d+)-[0-9a-f]+-\d+$/.exec(name)?.[1];
    if (maker !== undefined && !existsSync(`/proc/${maker}`)) {
      const left = join(folder, name);
      const { uid, gid } = lstatSync(left);
      // With the rights of the account that filled it: nothing in it is to be trusted.
      void removeScratch(left, process.geteuid?.() === 0 ? { uid, gid } : undefined);
    }
  }
  const canary = join(folder, 'canary');
  if (canary.includes("'")) throw unusable(folder);
  writeFileSync(canary, 'nobody inside reads this\n');
  chmodSync(canary, 0o644);
  return canary;
}

function unusable(folder: string): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the folder ${quote(folder)} has a quote in its name`,
  );
}

function machineOf(arch: string): Machine {
  if (process.platform === 'linux' && (arch === 'x64' || arch === 'arm64')) return arch;
  throw new PalyraError('SANDBOX_UNAVAILABLE', `there is no such sandbox for ${quote(arch)}`);
}
