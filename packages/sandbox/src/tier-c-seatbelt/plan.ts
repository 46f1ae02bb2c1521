import { posix } from 'node:path';
import { PalyraError, canonicalBytes, quote, sha256Hex } from '@palyra/kernel';
import type { EgressRequest, Limits, SandboxRequest } from '../model.ts';
import { shellExports, shellWord } from '../tier-b-process/shell-word.ts';
import { guardPatterns } from './guard.ts';
import { seatbeltLimitWords } from './limits.ts';
import { profilePattern, profileText } from './profile-text.ts';
import { FILES, HELPERS, LINKS, MACH, NEVER_ASKED, PROGRAMS, SYSCTLS, SYSTEM } from './system.ts';

export interface SeatbeltSurroundings {
  /** The workspace by its only spelling: on this system `/tmp` and `/var` are links. */
  readonly workspace: string;
  /** A folder of this command's alone, by its only spelling. */
  readonly scratch: string;
  /** The full path of the program. */
  readonly program: string;
  /** Where this command's own proxy listens on the loopback; absent when there is none. */
  readonly proxyPort: number | undefined;
}

/** Everything about one sandbox before it exists: can be shown, compared and hashed. */
export interface SeatbeltPlan {
  readonly file: '/usr/bin/sandbox-exec';
  readonly arguments: readonly string[];
  readonly profile: string;
  /** The one line for the shell inside. */
  readonly script: string;
  readonly limits: Limits;
}

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** Contract: throws SANDBOX_SCOPE_DENIED for paths that cannot be written down, SANDBOX_EGRESS_DENIED for hosts without a proxy. */
export function plan(request: SandboxRequest, surroundings: SeatbeltSurroundings): SeatbeltPlan {
  const profile = profileOf(request.egress, surroundings);
  return {
    file: SANDBOX_EXEC,
    arguments: ['-p', profile, '/bin/sh'],
    profile,
    script: scriptOf(request, surroundings),
    limits: request.limits,
  };
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash({ file, profile, script, limits }: SeatbeltPlan): string {
  return sha256Hex(canonicalBytes({ file, profile, script, limits: { ...limits } }));
}

/** The last rule that fits decides, so what must never be stands at the end. */
function profileOf(egress: EgressRequest, surroundings: SeatbeltSurroundings): string {
  const { workspace, scratch } = surroundings;
  for (const path of [workspace, scratch, surroundings.program]) checkSpelling(path);
  const inWorkspace = (patterns: readonly string[]) =>
    patterns.map((pattern) => `(require-all ${subpath(workspace)} ${profilePattern(pattern)})`);
  const guard = guardPatterns();
  const rules = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    rule('allow process-exec', [...PROGRAMS.map(subpath), subpath(workspace)]),
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    rule(
      'allow sysctl-read',
      SYSCTLS.map((name) => `(sysctl-name ${profileText(name)})`),
    ),
    rule(
      'allow file-read-metadata',
      [...LINKS, ...ancestors(workspace), ...ancestors(scratch)].map(literal),
    ),
    rule('allow file-read*', [
      ...PROGRAMS.map(subpath),
      ...SYSTEM.map(subpath),
      ...FILES.map(literal),
    ]),
    rule('allow file-write-data file-ioctl', ['/dev/null', '/dev/zero'].map(literal)),
    rule('allow file-read* file-write*', [subpath(workspace), subpath(scratch)]),
    rule(
      'allow mach-lookup',
      MACH.map((name) => `(global-name ${profileText(name)})`),
    ),
    ...network(egress, surroundings.proxyPort),
    rule('deny file-write*', inWorkspace(guard.obeyed)),
    rule('deny file-write-create file-write-unlink', inWorkspace(guard.parents)),
    rule('deny file-read* file-write*', inWorkspace(guard.secret)),
    rule('allow file-read*', inWorkspace(guard.samples)),
    rule('deny file-write* file-write-unlink', [literal(workspace)]),
    '(deny file-write-setugid)',
    '(deny file-mknod)',
    rule('deny process-exec', HELPERS.map(literal)),
    rule(
      'deny mach-lookup',
      NEVER_ASKED.map((name) => `(global-name ${profileText(name)})`),
    ),
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny job-creation)',
    '(deny mach-register)',
  ];
  return `${rules.join('\n')}\n`;
}

function network(egress: EgressRequest, proxyPort: number | undefined): readonly string[] {
  switch (egress.mode) {
    case 'none':
    case 'preflight':
      return [
        '(allow network-outbound (remote ip "*:*"))',
        '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
        '(allow system-socket)',
      ];
    case 'strict':
      if (egress.hosts.length === 0) return ['(deny network*)'];
      if (proxyPort === undefined || !isPort(proxyPort)) throw withoutProxy();
      return ['(deny network*)', `(allow network-outbound (remote ip "localhost:${proxyPort}"))`];
  }
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

function scriptOf(
  { limits, directory, environment, arguments: words }: SandboxRequest,
  { workspace, scratch, program }: SeatbeltSurroundings,
): string {
  const steps = [
    ...seatbeltLimitWords(limits).map((word) => `{ ${word}; }`),
    `cd -- ${shellWord(posix.join(workspace, directory))}`,
    ...shellExports({ ...defaults(scratch), ...environment }),
    `exec ${[program, ...words].map(shellWord).join(' ')} <&3 3<&-`,
  ];
  return `{ ${steps.join(' && ')}; } || exit 126\n`;
}

function defaults(scratch: string): Readonly<Record<string, string>> {
  return {
    HOME: `${scratch}/home`,
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin',
    SHELL: '/bin/sh',
    TERM: 'dumb',
    TMPDIR: scratch,
  };
}

function rule(head: string, filters: readonly string[]): string {
  return `(${head}\n${filters.map((filter) => `  ${filter}`).join('\n')})`;
}

function subpath(path: string): string {
  return `(subpath ${profileText(path)})`;
}

function literal(path: string): string {
  return `(literal ${profileText(path)})`;
}

function ancestors(path: string): readonly string[] {
  const parent = posix.dirname(path);
  return parent === '/' ? ['/'] : [...ancestors(parent), parent];
}

/** The profile compares spellings: one that is not the kernel's own would fit nothing, or something else. */
function checkSpelling(path: string): void {
  if (path.startsWith('/') && path !== '/' && posix.normalize(path) === path && !path.endsWith('/'))
    return;
  throw new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the path ${quote(path)} is not in its only spelling`,
    { help: 'name the folder itself, by its full path' },
  );
}

function withoutProxy(): PalyraError {
  return new PalyraError('SANDBOX_EGRESS_DENIED', 'no host can be reached from this sandbox', {
    help: 'run it without hosts; the way out through the proxy is not connected here',
  });
}
