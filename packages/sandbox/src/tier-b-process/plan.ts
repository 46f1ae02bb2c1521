import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { Limits, SandboxRequest } from '../model.ts';
import { STREAMS } from '../tier-c-bubblewrap/launcher.ts';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import { filterEnvironment } from './environment.ts';
import { processLimitWords } from './limits.ts';
import { shellExports, shellWord } from './shell-word.ts';

/** How everything that a command starts is brought to its end. */
export type Way =
  /** It cannot leave its namespace, and the namespace ends as a whole. */
  | 'pid-namespace'
  /** Its group, its descendants and what carries its mark are sought out; what hides well stays. */
  | 'process-group';

export interface Surroundings {
  readonly way: Way;
  /** What the kernel calls the program. */
  readonly program: string;
  readonly calledAs: string;
  /** Names that the operator lets through. */
  readonly environment: readonly string[];
  /** Who it runs as; absent for whoever we are. */
  readonly runAs: Account | undefined;
  /** Processes of that user which the kernel would count for the command. */
  readonly others: number;
}

/** Everything about one process before it exists: can be shown, compared and hashed. */
export interface Plan {
  readonly way: Way;
  readonly program: string;
  /** In the workspace; the launcher is started in it, and goes nowhere. */
  readonly directory: string;
  /** What bwrap is told; empty for the other way. */
  readonly options: readonly string[];
  /** The one line for the launcher: limits, environment, command. */
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that were asked for and are not given. */
  readonly dropped: readonly string[];
  readonly runAs: Account | undefined;
  readonly limits: Limits;
}

/** After the streams and the report. The file that was checked is the file that runs: by no name. */
export const DESCRIPTORS = { program: 7, starter: 8, options: 9, status: 10 } as const;

export function plan(request: SandboxRequest, surroundings: Surroundings): Plan {
  const { way, program, runAs } = surroundings;
  const { passed, dropped } = filterEnvironment(request.environment, surroundings.environment);
  return {
    way,
    program,
    directory: request.directory,
    options: way === 'pid-namespace' ? NAMESPACE_OPTIONS : [],
    script: scriptOf(request, surroundings, passed),
    environment: passed,
    dropped,
    runAs,
    limits: request.limits,
  };
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash(made: Plan): string {
  const { way, program, directory, script, options, dropped, environment, runAs, limits } = made;
  const account = runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
  const parts = {
    way,
    program,
    directory,
    script,
    account,
    options: [...options],
    dropped: [...dropped],
    environment: { ...environment },
    limits: { ...limits },
  };
  return sha256Hex(canonicalBytes(parts));
}

/** The whole machine as it is, but no process of it, and nothing to gain rights with. */
const NAMESPACE_OPTIONS: readonly string[] =
  `--unshare-user --unshare-pid --disable-userns --cap-drop ALL --die-with-parent --new-session --dev-bind / / --proc /proc --json-status-fd ${DESCRIPTORS.status}`.split(
    ' ',
  );

function scriptOf(
  request: SandboxRequest,
  { calledAs, others }: Surroundings,
  environment: Readonly<Record<string, string>>,
): string {
  const held = (descriptor: number) => `/proc/self/fd/${descriptor}`;
  const words = [calledAs, ...request.arguments].map(shellWord).join(' ');
  const steps = [
    ...processLimitWords(request.limits, others),
    ...shellExports(environment),
    `exec ${held(DESCRIPTORS.starter)} ${held(DESCRIPTORS.program)} ${words} <&${STREAMS.stdin} ${STREAMS.stdin}<&-`,
  ];
  return `{ ${steps.join(' && ')}; } || exit 126\n`;
}
