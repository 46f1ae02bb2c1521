import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { Limits, SandboxRequest } from '../model.ts';
import { shellExports, shellWord } from '../tier-b-process/shell-word.ts';
import { MARK } from '../tier-b-process/sweep.ts';
import { SEARCH_PATH } from '../tier-c-bubblewrap/executable.ts';
import type { Guarded } from '../tier-c-bubblewrap/guard/scan.ts';
import { STREAMS } from '../tier-c-bubblewrap/launcher.ts';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import { DESCRIPTORS } from './keeper/keeper-elf.ts';
import { landlockLimitWords } from './limits.ts';
import type { Grant } from './rights.ts';
import type { OpenEntry } from './siblings.ts';

/** A place and what a command gets of it; everything else is denied. */
export interface Place {
  /** `workspace`: relative to it. `scratch`: the folder that is made for this one command. */
  readonly of: 'system' | 'workspace' | 'scratch';
  readonly path: string;
  readonly grant: Grant;
}

export interface Surroundings {
  readonly system: readonly Place[];
  readonly guarded: readonly Guarded[];
  /** What ought to be guarded and cannot be. */
  readonly weaknesses: readonly string[];
  /** What lies beside guarded names, and is not guarded itself. */
  readonly open: readonly OpenEntry[];
  /** SHA-256, in hex, of the system call filter. */
  readonly filterHash: string;
  readonly program: string;
  /** Who it runs as; absent for whoever we are. */
  readonly runAs: Account | undefined;
}

/** Everything about one sandbox before it exists: can be shown, compared and hashed. */
export interface Plan {
  readonly places: readonly Place[];
  readonly guarded: readonly Guarded[];
  readonly filterHash: string;
  readonly program: string;
  readonly words: readonly string[];
  /** In the workspace; the launcher is started in it. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runAs: Account | undefined;
  readonly limits: Limits;
  readonly weaknesses: readonly string[];
}

export function plan(request: SandboxRequest, surroundings: Surroundings): Plan {
  const { guarded, open, filterHash, program, runAs } = surroundings;
  return {
    places: [
      ...surroundings.system,
      { of: 'scratch', path: '.', grant: 'folder' },
      // Names only: what is given here is given for everything below as well.
      { of: 'workspace', path: '.', grant: 'list' },
      ...guarded.flatMap(({ path, how }) => guardPlace(path, how)),
      ...open.map(({ path, kind }) => ({ of: 'workspace', path, grant: kind }) as const),
    ],
    guarded,
    filterHash,
    program,
    words: [request.executable, ...request.arguments],
    directory: request.directory,
    environment: { ...DEFAULTS, ...request.environment },
    runAs,
    limits: request.limits,
    weaknesses: [...weaknessesOf(guarded), ...surroundings.weaknesses],
  };
}

function guardPlace(path: string, how: Guarded['how']): readonly Place[] {
  return how === 'read-only' ? [{ of: 'workspace', path, grant: 'read-run' }] : [];
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash(made: Plan): string {
  const { places, guarded, runAs, words, environment, limits, weaknesses, ...rest } = made;
  const parts = {
    ...rest,
    places: places.map(({ of, path, grant }) => ({ of, path, grant })),
    guarded: guarded.map(({ path, how }) => ({ path, how })),
    account: runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid },
    words: [...words],
    environment: { ...environment },
    limits: { ...limits },
    weaknesses: [...weaknesses],
  };
  return sha256Hex(canonicalBytes(parts));
}

/** What it is told in words: one for each place. */
export function placeText({ of, path, grant }: Place): string {
  return of === 'system' ? `${grant} ${path}` : `${grant} <${of}>/${path}`;
}

/** What is known only when it is started. */
export interface Start {
  readonly scratch: string;
  readonly others: number;
  /** Names the command to whoever has to look for what is left of it. */
  readonly mark: string;
}

/**
 * The one line for the launcher: limits, environment, command. Contract: `others` are the processes of
 * that user which the kernel would count for the command.
 */
export function scriptOf(made: Plan, { scratch, others, mark }: Start): string {
  const own = { HOME: `${scratch}/home`, TMPDIR: scratch };
  const environment = { ...own, ...made.environment, [MARK]: mark };
  const steps = [
    ...landlockLimitWords(made.limits, others),
    ...shellExports(environment),
    `exec /proc/self/fd/${DESCRIPTORS.starter} ${[made.program, ...made.words].map(shellWord).join(' ')} <&${STREAMS.stdin} ${STREAMS.stdin}<&-`,
  ];
  return `{ ${steps.join(' && ')}; } || exit 126\n`;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  // The machine's own file is not to be read, and git takes that for an error.
  GIT_CONFIG_NOSYSTEM: '1',
  LANG: 'C.UTF-8',
  LOGNAME: 'sandbox',
  PATH: SEARCH_PATH.join(':'),
  SHELL: '/bin/sh',
  TERM: 'dumb',
  USER: 'sandbox',
};

/** What this step is, however well it goes. */
export const STANDING_WEAKNESSES: readonly string[] = [
  'no namespace: a command sees the paths of the machine, and can ask whether a file outside is there, of what size, and where a link leads; it can read, write and list none of it',
  'the temporary folder lies on a disk of the machine: its size is measured, and not enforced by the kernel',
];

function weaknessesOf(guarded: readonly Guarded[]): readonly string[] {
  const sealed = guarded.filter(({ how }) => how === 'sealed-folder').map(({ path }) => path);
  const pinned = guarded.filter(({ how }) => how === 'pinned').map(({ path }) => path);
  const within = ['.', ...pinned].map((path) => `\`${path}\``).join(', ');
  return [
    ...STANDING_WEAKNESSES,
    `no name can be made, renamed or removed directly in ${within}: guarded names lie there, and Landlock cannot except them from what it gives`,
    ...sealed.map((path) => `the names in \`${path}\` can be listed; nothing of it can be read`),
  ];
}
