import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { Limits, SandboxRequest } from '../model.ts';
import { SEARCH_PATH } from './executable.ts';
import type { Guarded } from './guard/scan.ts';
import { STARTER, launcherScript } from './launcher.ts';
import { limitWords } from './limits.ts';

/** What the machine looks like, read once; a plan is made from this and the request alone. */
export interface System {
  /** Folders and links at the root: `/usr` is bound, `/bin` is a link to it or bound itself. */
  readonly roots: readonly SystemRoot[];
  /** Files and folders of `/etc` that programs need and that tell nothing of the machine. */
  readonly etc: readonly string[];
}

export type SystemRoot =
  | { readonly kind: 'bind'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

export interface Surroundings {
  readonly system: System;
  readonly guarded: readonly Guarded[];
  /** SHA-256, in hex, of the system call filter. */
  readonly filterHash: string;
  /** Where the workspace is inside. */
  readonly workspaceAt: string;
  /** The path of the program, inside. */
  readonly program: string;
}

/** A descriptor that the sandbox is started with, by what it is for. */
export type Descriptor = 'seccomp' | 'status' | 'starter' | 'workspace' | 'etc' | `guard:${number}`;

export type PlanWord = string | { readonly descriptor: Descriptor };

/** Everything about one sandbox before it exists: can be shown, compared and hashed. */
export interface Plan {
  readonly options: readonly PlanWord[];
  readonly guarded: readonly Guarded[];
  readonly filterHash: string;
  /** The one line for the shell inside: limits, folder, environment, command. */
  readonly script: string;
  readonly limits: Limits;
}

/** Who everybody is inside. */
export const INSIDE_ID = 61_100;
const HOME = '/tmp/home';

export function plan(request: SandboxRequest, surroundings: Surroundings): Plan {
  const { workspaceAt, guarded, filterHash, program } = surroundings;
  return {
    options: [
      ...isolation(request),
      ...systemView(surroundings.system),
      ...scratch(request.limits),
      ...words('--perms 0555 --ro-bind-data'),
      { descriptor: 'starter' },
      STARTER,
      '--bind-fd',
      { descriptor: 'workspace' },
      workspaceAt,
      ...guarded.flatMap((guard, place) => guardWords(workspaceAt, guard, place)),
      ...words('--remount-ro / --chdir'),
      workspaceAt,
      '--seccomp',
      { descriptor: 'seccomp' },
      '--json-status-fd',
      { descriptor: 'status' },
    ],
    guarded,
    filterHash,
    script: launcherScript({
      limits: limitWords(request.limits),
      directory: request.directory === '.' ? workspaceAt : `${workspaceAt}/${request.directory}`,
      environment: { ...defaultEnvironment(), ...request.environment },
      program,
      words: [request.executable, ...request.arguments],
    }),
    limits: request.limits,
  };
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash({ options, guarded, filterHash, script, limits }: Plan): string {
  const parts = {
    options: options.map(wordText),
    guarded: guarded.map(({ path, how }) => ({ path, how })),
    filterHash,
    script,
    limits: { ...limits },
  };
  return sha256Hex(canonicalBytes(parts));
}

export function wordText(word: PlanWord): string {
  return typeof word === 'string' ? word : `<${word.descriptor}>`;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

function isolation({ egress }: SandboxRequest): readonly PlanWord[] {
  return [
    ...words('--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try'),
    ...(egress.mode === 'strict' ? ['--unshare-net'] : []),
    ...words('--disable-userns --assert-userns-disabled'),
    ...words(`--uid ${INSIDE_ID} --gid ${INSIDE_ID}`),
    ...words('--cap-drop ALL --die-with-parent --new-session --clearenv --hostname sandbox'),
  ];
}

function systemView({ roots, etc }: System): readonly PlanWord[] {
  return [
    ...roots.flatMap((root) =>
      root.kind === 'bind'
        ? ['--ro-bind', root.path, root.path]
        : ['--symlink', root.target, root.path],
    ),
    '--ro-bind-fd',
    { descriptor: 'etc' },
    '/etc',
    ...etc.flatMap((path) => ['--ro-bind', path, path]),
    ...words('--proc /proc --dev /dev'),
    // Whoever made a namespace may set what belongs to it; here nobody sets anything.
    ...words('--ro-bind /proc/sys /proc/sys'),
    // Told by the kernel to everybody, and of use to nobody inside.
    ...['cmdline', 'kallsyms', 'keys'].flatMap((name) =>
      words(`--ro-bind /dev/null /proc/${name}`),
    ),
  ];
}

/** Without a size a folder in memory takes all of it. */
function scratch({ scratchBytes }: Limits): readonly PlanWord[] {
  const half = Math.floor(scratchBytes / 2);
  return words(
    `--size ${half} --tmpfs /dev/shm --remount-ro /dev --size ${half} --tmpfs /tmp --dir ${HOME}`,
  );
}

function guardWords(workspaceAt: string, guard: Guarded, place: number): readonly PlanWord[] {
  const option = guard.how === 'pinned' ? '--bind-fd' : '--ro-bind-fd';
  return [option, { descriptor: `guard:${place}` }, `${workspaceAt}/${guard.path}`];
}

function defaultEnvironment(): Readonly<Record<string, string>> {
  return {
    HOME,
    LANG: 'C.UTF-8',
    LOGNAME: 'sandbox',
    PATH: SEARCH_PATH.join(':'),
    SHELL: '/bin/sh',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    USER: 'sandbox',
  };
}
