import { closeSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import type { SandboxRequest } from '../model.ts';
import { checkRequest } from '../request-check.ts';
import { resolveExecutable } from './executable.ts';
import { scan } from './guard/scan.ts';
import { type Plan, plan, planHash } from './plan.ts';
import { networkOf } from './system.ts';
import type { Workshop } from './workshop.ts';
import { type Workspace, openFolder, openWorkspace } from './workspace.ts';

export interface Prepared {
  readonly plan: Plan;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** Where the workspace is inside: nothing of the host's folders is told by its name. */
export const WORKSPACE_AT = '/workspace';

/** With the workspace held open, so that what was looked at is what is used. */
export interface Opening extends Prepared, Disposable {
  readonly workspace: Workspace;
}

/** Contract: starts and writes nothing; throws for what must be refused. */
export function prepare(workshop: Workshop, request: SandboxRequest): Opening {
  checkRequest(request);
  checkEgress(request);
  using stack = new DisposableStack();
  const workspace = stack.use(openWorkspace(request.workspace));
  checkFolder(workspace, request.directory);
  const system = workshop.systems[networkOf(request.egress)];
  const view = {
    roots: system.roots,
    workspaceAt: WORKSPACE_AT,
    workspace: workspace.descriptor,
  };
  const made = plan(request, {
    system,
    guarded: scan(workspace.descriptor, workshop.guard, workshop.mountPoints.ours(workspace)),
    filterHash: workshop.filterHash,
    workspaceAt: WORKSPACE_AT,
    program: resolveExecutable(view, request.executable, request.directory),
  });
  const held = stack.move();
  return { plan: made, hash: planHash(made), workspace, [Symbol.dispose]: () => held.dispose() };
}

function checkEgress({ egress }: SandboxRequest): void {
  if (egress.mode !== 'strict' || egress.hosts.length === 0) return;
  throw new PalyraError('SANDBOX_EGRESS_DENIED', 'no host can be reached from this sandbox', {
    help: 'run it without hosts; the way out through the proxy is not connected here',
  });
}

function checkFolder({ descriptor }: Workspace, directory: string): void {
  try {
    closeSync(openFolder(descriptor, directory));
  } catch (cause) {
    throw new PalyraError(
      'SANDBOX_SCOPE_DENIED',
      `the folder ${quote(directory)} is not in the workspace, or a link leads to it`,
      { cause, help: 'make the folder first, and name it without links' },
    );
  }
}
