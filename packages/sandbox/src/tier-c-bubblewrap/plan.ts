import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { Limits, SandboxRequest, SecretUse } from '../model.ts';
import type { StartOrder } from '../starter/waiting-starter.ts';
import { SEARCH_PATH } from './executable.ts';
import type { Guarded } from './guard/scan.ts';
import { STARTER } from './launcher.ts';
import { resourceLimits } from './limits.ts';

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

/** What a cage depends on: nothing of the command that will be in it. */
export type CageRequest = Pick<
  SandboxRequest,
  'workspace' | 'egress' | 'limits' | 'principal' | 'session' | 'policySetHash'
>;

export interface CageFindings {
  readonly guarded: readonly Guarded[];
  /** What ought to be guarded and cannot be. */
  readonly weaknesses: readonly string[];
  /** SHA-256, in hex, of the system call filter. */
  readonly filterHash: string;
  /** Whom it may talk to, each in its one spelling. */
  readonly hosts: readonly string[];
}

export interface CageSurroundings extends CageFindings {
  readonly system: System;
  /** Where the workspace is inside. */
  readonly workspaceAt: string;
  /** Who mounts what guards them: whoever has mounts of their own does it faster than bwrap. */
  readonly guardsBy: 'bwrap' | 'maker';
}

export interface Surroundings extends CageSurroundings {
  /** The path of the program, inside. */
  readonly program: string;
}

/** A descriptor that the sandbox is started with, by what it is for. */
export type Descriptor =
  | 'seccomp'
  | 'status'
  | 'starter'
  | 'listener'
  | 'authorities'
  | 'workspace'
  | 'etc'
  | 'nothing'
  | `guard:${number}`;

export type PlanWord = string | { readonly descriptor: Descriptor };

/** Everything about one cage before it exists. */
export interface CagePlan {
  readonly options: readonly PlanWord[];
  /** What is started in it: the starter, or what becomes the starter when the way out is open. */
  readonly entry: typeof STARTER | typeof LISTENER;
  readonly guarded: readonly Guarded[];
  readonly weaknesses: readonly string[];
  readonly filterHash: string;
  readonly hosts: readonly string[];
  readonly secrets: readonly SecretUse[];
}

/** All of it that two cages of one machine can differ in: it takes no work to know. */
export type CageOutline = Pick<
  CagePlan,
  'guarded' | 'weaknesses' | 'filterHash' | 'hosts' | 'secrets'
>;

/** A cage and what is to be run in it: can be shown, compared and hashed. */
export interface Plan extends CagePlan {
  /** What the one order for the starter inside is made of; the way out adds its variables to it. */
  readonly command: StartOrder;
  readonly limits: Limits;
}

/** Who everybody is inside. */
export const INSIDE_ID = 61_100;
const HOME = '/tmp/home';
/** Where the program is, inside, that opens the way out. */
export const LISTENER = '/.listen';
/** Whom programs trust, inside, where requests are read on their way out. */
export const AUTHORITIES = '/.authorities.pem';

export function plan(request: SandboxRequest, surroundings: Surroundings): Plan {
  return {
    ...planCage(request, surroundings),
    command: planCommand(request, surroundings),
    limits: request.limits,
  };
}

export function planCage(request: CageRequest, surroundings: CageSurroundings): CagePlan {
  const { workspaceAt, guarded, guardsBy } = surroundings;
  const hasWayOut = needsWayOut(request);
  return {
    options: [
      ...isolation(request),
      ...systemView(surroundings.system),
      ...scratch(request.limits),
      ...program('starter', STARTER),
      ...(hasWayOut ? wayOut() : []),
      '--bind-fd',
      { descriptor: 'workspace' },
      workspaceAt,
      ...(guardsBy === 'maker' ? [] : guarded).flatMap((guard, place) =>
        guardWords(workspaceAt, guard, place),
      ),
      ...words('--remount-ro / --chdir'),
      workspaceAt,
      '--seccomp',
      { descriptor: 'seccomp' },
      '--json-status-fd',
      { descriptor: 'status' },
    ],
    entry: hasWayOut ? LISTENER : STARTER,
    ...outlineCage(request, surroundings),
  };
}

export function outlineCage(
  { egress }: CageRequest,
  { guarded, weaknesses, filterHash, hosts }: CageFindings,
): CageOutline {
  const secrets = egress.mode === 'strict' ? egress.secrets : [];
  return { guarded, weaknesses, filterHash, hosts, secrets };
}

export function planCommand(
  request: SandboxRequest,
  { workspaceAt, program: path }: Pick<Surroundings, 'workspaceAt' | 'program'>,
): StartOrder {
  const directory = request.directory === '.' ? workspaceAt : `${workspaceAt}/${request.directory}`;
  return {
    limits: resourceLimits(request.limits),
    directory,
    environment: {
      ...defaultEnvironment(),
      ...('LANG' in request.environment ? {} : TEXT),
      PWD: directory,
      ...request.environment,
    },
    program: path,
    words: [request.executable, ...request.arguments],
  };
}

/** Whether there is anybody to talk to, and somebody else who sees to it that there is nobody more. */
export function needsWayOut({ egress }: Pick<SandboxRequest, 'egress'>): boolean {
  return egress.mode === 'strict' && egress.hosts.length > 0;
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash({ options, guarded, secrets, limits, command, ...rest }: Plan): string {
  const parts = {
    ...rest,
    options: options.map(wordText),
    guarded: guarded.map(({ path, how }) => ({ path, how })),
    secrets: secrets.map((secret) => ({ ...secret })),
    command: { ...command, limits: command.limits.map((limit) => ({ ...limit })) },
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

function isolation({ egress }: CageRequest): readonly PlanWord[] {
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
    // Of the same user as the command, which could read and write its memory there as its own.
    '--ro-bind-fd',
    { descriptor: 'nothing' },
    '/proc/1',
  ];
}

/** Without a size a folder in memory takes all of it. */
/** Where a command can write besides its workspace: in memory. */
export const VOLUMES = ['/dev/shm', '/tmp'] as const;

function scratch({ scratchBytes }: Limits): readonly PlanWord[] {
  const half = Math.floor(scratchBytes / 2);
  const [shared, temporary] = VOLUMES;
  return words(
    `--size ${half} --tmpfs ${shared} --remount-ro /dev --size ${half} --tmpfs ${temporary} --dir ${HOME}`,
  );
}

function program(descriptor: Descriptor, at: string): readonly PlanWord[] {
  return [...words('--perms 0555 --ro-bind-data'), { descriptor }, at];
}

function wayOut(): readonly PlanWord[] {
  return [
    ...program('listener', LISTENER),
    '--ro-bind-fd',
    { descriptor: 'authorities' },
    AUTHORITIES,
  ];
}

function guardWords(workspaceAt: string, guard: Guarded, place: number): readonly PlanWord[] {
  const option = guard.how === 'pinned' ? '--bind-fd' : '--ro-bind-fd';
  return [option, { descriptor: `guard:${place}` }, `${workspaceAt}/${guard.path}`];
}

/**
 * All that `C.UTF-8` is besides the plain locale. As `LANG` every program would open twelve files more at its
 * start to find nothing else in them; whoever asks for a language gets that alone.
 */
const TEXT = { LC_CTYPE: 'C.UTF-8' } as const;

function defaultEnvironment(): Readonly<Record<string, string>> {
  return {
    HOME,
    LOGNAME: 'sandbox',
    PATH: SEARCH_PATH.join(':'),
    SHELL: '/bin/sh',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    USER: 'sandbox',
  };
}
