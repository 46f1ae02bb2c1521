import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { knownInterpreters } from '../executables/interpreters.ts';
import { type ExecutableRules, type Judge, createJudge } from '../executables/judge.ts';
import { hardenProcess } from '../harden.ts';
import { type Libc, openLibc } from '../libc.ts';
import { starterElf } from '../starter/starter-elf.ts';
import { BWRAP, identifyBwrap } from '../tier-c-bubblewrap/bwrap-binary.ts';
import {
  type Groups,
  findGroups,
  foldersOf,
  groupName,
  sweepFolders,
} from '../tier-c-bubblewrap/cgroup.ts';
import { SEARCH_PATH } from '../tier-c-bubblewrap/executable.ts';
import { DEFAULT_GUARD, type GuardRules } from '../tier-c-bubblewrap/guard/rules.ts';
import { DEFAULT_RULES } from './allowed.ts';
import { sealProgram } from './starter-file.ts';

export interface TierBOptions {
  readonly rules?: ExecutableRules;
  /** Names of variables that are let through besides the few that always are. */
  readonly environment?: readonly string[];
  readonly guard?: GuardRules;
  /** Where it is looked for; absent for where distributions put it. */
  readonly bwrap?: string;
}

/** What is known once and used by every command. */
export interface Workshop {
  readonly libc: Libc;
  readonly bwrap: string;
  readonly setpriv: string;
  readonly judge: Judge;
  readonly environment: readonly string[];
  readonly guard: GuardRules;
  readonly groups: Groups | undefined;
  readonly starter: number;
  readonly isRoot: boolean;
  /** A name that no other command of ours has had. */
  nextName(): string;
}

export const SETPRIV = '/usr/bin/setpriv';
/** What belongs to the system's owner is there as well. */
const KNOWN_FOLDERS = [...SEARCH_PATH, '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Contract: throws SANDBOX_UNAVAILABLE; what it opened is closed by `undo`. */
export function openWorkshop(options: TierBOptions, undo: DisposableStack): Workshop {
  const { arch, platform } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) throw notHere();
  const libc = openLibc();
  hardenProcess(libc);
  const interpreters = knownInterpreters({ folders: KNOWN_FOLDERS, files: [process.execPath] });
  const rules = options.rules ?? DEFAULT_RULES;
  const groups = findGroups();
  sweepFolders(foldersOf(groups));
  let names = 0;
  const mark = { tier: 'b', maker: randomBytes(4).toString('hex') } as const;
  return {
    libc,
    bwrap: options.bwrap ?? BWRAP,
    setpriv: SETPRIV,
    judge: createJudge({ rules, interpreters, folders: SEARCH_PATH }),
    environment: options.environment ?? [],
    guard: options.guard ?? DEFAULT_GUARD,
    groups,
    starter: undo.adopt(sealProgram(libc, starterElf(arch)), closeSync),
    isRoot: process.geteuid?.() === 0,
    nextName: () => {
      names += 1;
      return groupName(mark, names);
    },
  };
}

/** Contract: throws SANDBOX_UNAVAILABLE unless it is root's own, plain and changed by nobody else. */
export function checkTool(path: string): void {
  try {
    identifyBwrap(path);
  } catch (cause) {
    const isBwrap = path !== SETPRIV;
    throw new PalyraError('SANDBOX_UNAVAILABLE', PalyraError.from(cause).message, {
      cause,
      help: `install it with \`apt-get install ${isBwrap ? 'bubblewrap' : 'util-linux'}\``,
    });
  }
}

function notHere(): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `tier B is not proven on ${process.platform} ${process.arch}`,
    { help: 'run the gateway on Linux, or use tier A' },
  );
}
