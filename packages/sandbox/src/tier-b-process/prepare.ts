import { closeSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import { type Executable, openExecutable } from '../executables/open-executable.ts';
import { openDirectory } from '../directory.ts';
import type { SandboxRequest } from '../model.ts';
import { checkRequest } from '../request-check.ts';
import { SEARCH_PATH } from '../tier-c-bubblewrap/executable.ts';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import { type Workspace, below, openWorkspace } from '../tier-c-bubblewrap/workspace.ts';
import { filterEnvironment } from './environment.ts';
import { countProcesses } from './limits.ts';
import { type Plan, plan, planHash } from './plan.ts';
import type { Verdict } from './probe.ts';
import { type Scope, checkScope, placeInside } from './scope.ts';
import type { Workshop } from './workshop.ts';

export interface Prepared {
  readonly plan: Plan;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** With everything held open, so that what was looked at is what is used. */
export interface Opening extends Prepared, Disposable {
  readonly executable: Executable;
  readonly folder: number;
  readonly weaknesses: readonly string[];
  /** Looks at every path in the words again. Contract: throws when it finds anything else than before. */
  checkAgain(): void;
}

/** Contract: starts and writes nothing; throws for what must be refused. */
export function prepare(
  workshop: Workshop,
  { way }: Pick<Verdict, 'way'>,
  request: SandboxRequest,
): Opening {
  checkRequest(request);
  checkEgress(request);
  workshop.judge.checkName(request.executable);
  using stack = new DisposableStack();
  const workspace = stack.use(openWorkspace(request.workspace));
  const runAs = accountFor(workshop, workspace);
  const folder = stack.adopt(openDirectory(workspace, request.directory), closeSync);
  const scope = {
    workspace: workspace.descriptor,
    path: request.workspace,
    directory: request.directory,
    guard: workshop.guard,
  };
  const executable = stack.use(openProgram(scope, request.executable));
  const { advice } = workshop.judge.judge(executable);
  refuseOwn(executable, request.workspace);
  const words = [...request.arguments, ...passedValues(request, workshop.environment)];
  const seen = checkScope(scope, words);
  const uid = runAs?.uid ?? process.geteuid?.() ?? 0;
  const made = plan(request, {
    way,
    program: executable.path,
    calledAs: executable.calledAs,
    environment: workshop.environment,
    runAs,
    others: way === 'process-group' ? countProcesses(uid) : 0,
  });
  const held = stack.move();
  return {
    plan: made,
    hash: planHash(made),
    executable,
    folder,
    weaknesses:
      advice === undefined ? [] : [`${quote(advice.name)} is trusted: it can run other programs`],
    checkAgain: () => {
      if (checkScope(scope, words) !== seen) throw exchanged();
    },
    [Symbol.dispose]: () => held.dispose(),
  };
}

/** Those of the request that arrive: a time zone is a path, too. */
function passedValues(
  { environment }: SandboxRequest,
  extra: readonly string[],
): readonly string[] {
  const { dropped } = filterEnvironment(environment, extra);
  return Object.entries(environment).flatMap(([name, value]) =>
    dropped.includes(name) ? [] : [value],
  );
}

function checkEgress({ egress }: SandboxRequest): void {
  if (egress.mode !== 'strict') return;
  throw new PalyraError('SANDBOX_EGRESS_DENIED', 'tier B cannot keep a command off the network', {
    help: 'run it in tier C, which can, or give it the whole network: `--egress none`',
  });
}

/** As root nothing runs as root: no limit of the kernel's binds it, and every file is its own. */
function accountFor({ isRoot }: Workshop, { owner }: Workspace): Account | undefined {
  if (!isRoot) return undefined;
  if (owner.uid !== 0 && owner.gid !== 0) return owner;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    'the workspace belongs to root, and in tier B a command runs as its owner, whom no limit binds',
    {
      help: 'give the workspace to another user with `chown -R USER:GROUP FOLDER`, or run it in tier C',
    },
  );
}

function openProgram(scope: Scope, name: string): Executable {
  if (!name.includes('/')) {
    return openExecutable(
      name,
      SEARCH_PATH.map((folder) => `${folder}/${name}`),
    );
  }
  const path = name.startsWith('/') ? name : below(scope.workspace, placeInside(scope, name));
  return openExecutable(name, [path]);
}

/** On whatever list it stands: whoever may write there would decide what runs. */
function refuseOwn({ path, calledAs }: Executable, workspace: string): void {
  if (!path.startsWith(`${workspace.replace(/\/+$/, '')}/`)) return;
  throw new PalyraError(
    'INVALID_INPUT',
    `the program ${quote(calledAs)} lies in the workspace, where commands can change it`,
    { help: 'run it in tier C, or install it where only you can write' },
  );
}

function exchanged(): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    'a path in the words leads elsewhere than when it was checked',
    { help: 'end whatever changes the workspace at the same time, and run it again' },
  );
}
