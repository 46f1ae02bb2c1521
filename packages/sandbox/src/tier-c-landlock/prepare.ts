import { closeSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import { openDirectory } from '../directory.ts';
import type { SandboxRequest } from '../model.ts';
import { checkRequest } from '../request-check.ts';
import { resolveExecutable } from '../tier-c-bubblewrap/executable.ts';
import { SeenPrograms } from '../tier-c-bubblewrap/seen-programs.ts';
import { scan } from '../tier-c-bubblewrap/guard/scan.ts';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import { type Workspace, openWorkspace } from '../tier-c-bubblewrap/workspace.ts';
import { type Plan, plan, planHash } from './plan.ts';
import { siblings } from './siblings.ts';
import type { Workshop } from './workshop.ts';

export interface Prepared {
  readonly plan: Plan;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** With the workspace held open, so that what was looked at is what is used. */
export interface Opening extends Prepared, Disposable {
  readonly workspace: Workspace;
  /** Where the workspace is, in the kernel's spelling. */
  readonly path: string;
  readonly folder: number;
}

/** Contract: starts and writes nothing; rejects for what must be refused. */
export async function prepare(workshop: Workshop, request: SandboxRequest): Promise<Opening> {
  checkRequest(request);
  checkEgress(request);
  using stack = new DisposableStack();
  const workspace = stack.use(openWorkspace(request.workspace));
  const path = `/${request.workspace.split('/').filter(Boolean).join('/')}`;
  checkPlace(
    path,
    workshop.places.flatMap(({ path: place }) => place),
  );
  const runAs = accountFor(workshop, workspace);
  const folder = stack.adopt(openDirectory(workspace, request.directory), closeSync);
  const found = await scan(workspace.descriptor, { rules: workshop.guard, ours: new Map() });
  const view = {
    roots: workshop.system.roots,
    workspaceAt: path,
    workspace: workspace.descriptor,
    seen: new SeenPrograms(),
  };
  const made = plan(request, {
    system: workshop.places,
    ...found,
    open: siblings(workspace.descriptor, found.guarded),
    filterHash: workshop.filterHash,
    program: resolveExecutable(view, request.executable, request.directory),
    runAs,
  });
  const held = stack.move();
  return {
    plan: made,
    hash: planHash(made),
    workspace,
    path,
    folder,
    [Symbol.dispose]: () => held.dispose(),
  };
}

/** What is given above cannot be taken back below: secrets in there could be read. */
function checkPlace(path: string, given: readonly string[]): void {
  if (!given.some((place) => path === place || path.startsWith(`${place}/`))) return;
  throw new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the workspace ${quote(path)} lies in a folder of the system, where every command may read`,
    { help: 'move it elsewhere, or use a machine that has bubblewrap' },
  );
}

/** The one filter of this step gives no socket: nothing to reach, and nothing to leave open by mistake. */
function checkEgress({ egress }: SandboxRequest): void {
  if (egress.mode === 'strict' && egress.hosts.length === 0 && egress.secrets.length === 0) return;
  const why =
    egress.mode === 'strict'
      ? 'no host can be reached from this sandbox: without a network namespace nothing would hold it to the listed ones'
      : 'this sandbox has no network at all: without a network namespace it would have all of it';
  throw new PalyraError('SANDBOX_EGRESS_DENIED', why, {
    help: 'run it with `--egress strict` and without hosts, or install bubblewrap with `apt-get install bubblewrap`',
  });
}

/** As root nothing runs as root: Landlock does not make it harmless, and no limit binds it. */
function accountFor({ isRoot }: Workshop, { owner }: Workspace): Account | undefined {
  if (!isRoot) return undefined;
  if (owner.uid !== 0 && owner.gid !== 0) return owner;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    'the workspace belongs to root, and without bubblewrap a command runs as its owner, whom nothing binds',
    {
      help: 'run the gateway as a user of its own: `useradd --create-home palyra`, then `sudo -u palyra palyra up`; or give the workspace away with `chown -R USER:GROUP FOLDER`',
    },
  );
}
