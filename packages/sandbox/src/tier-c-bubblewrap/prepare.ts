import { closeSync } from 'node:fs';
import { PalyraError, WORKSPACE_IN_CAGE, quote } from '@palyra/kernel';
import type { SandboxRequest } from '../model.ts';
import { checkRequest } from '../request-check.ts';
import type { StartOrder } from '../starter/waiting-starter.ts';
import type { Etc } from './etc.ts';
import { resolveExecutable } from './executable.ts';
import type { Stay } from './guard/mount-points.ts';
import {
  type CageFindings,
  type CageOutline,
  type CagePlan,
  type CageRequest,
  type Plan,
  outlineCage,
  planCage,
  planCommand,
} from './plan.ts';
import { networkOf } from './system.ts';
import { type Workshop, guardsBy } from './workshop.ts';
import { type Workspace, openFolder, openWorkspace } from './workspace.ts';

export interface Prepared {
  readonly plan: Plan;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/**
 * A cage that could be made now, with the workspace held open and nobody tidying up in it, so that
 * what was looked at is what is used. Contract: `leave` once, unless a cage takes it over.
 */
export interface Site {
  readonly request: CageRequest;
  readonly workspace: Workspace;
  readonly stay: Stay;
  readonly outline: CageOutline;
  /** Of what is guarded in it. */
  readonly digest: string;
  /** Everything that it is made of, as the machine is at that moment. */
  draw(): Drawn;
  leave(): void;
}

export interface Drawn {
  readonly plan: CagePlan;
  readonly etc: Etc;
}

/** Contract: starts and writes nothing; rejects for what must be refused. */
export async function prepareCage(workshop: Workshop, request: CageRequest): Promise<Site> {
  const hosts = checkEgress(workshop, request);
  using stack = new DisposableStack();
  const workspace = stack.use(openWorkspace(request.workspace));
  const stay = await workshop.mountPoints.enter(workspace, request.workspace);
  const leaving = stack.adopt(stay, () => stay.leave());
  const found = await leaving.scan(workshop.guard);
  const findings = { ...found, filterHash: workshop.filterHash, hosts };
  stack.move();
  const leave = () => {
    try {
      stay.leave();
    } finally {
      workspace[Symbol.dispose]();
    }
  };
  return {
    request,
    workspace,
    stay,
    outline: outlineCage(request, findings),
    digest: found.digest,
    draw: () => draw(workshop, request, findings),
    leave,
  };
}

function draw(workshop: Workshop, request: CageRequest, findings: CageFindings): Drawn {
  const network = networkOf(request.egress);
  const etc = workshop.furniture.etcFor(network);
  const plan = planCage(request, {
    ...findings,
    system: { ...workshop.systems[network], etc: etc.bound },
    workspaceAt: WORKSPACE_IN_CAGE,
    guardsBy: guardsBy(workshop),
  });
  return { plan, etc };
}

/** Contract: `site` is the one of the same request; throws for what must be refused. */
export function prepareCommand(
  workshop: Workshop,
  request: SandboxRequest,
  site: Site,
): StartOrder {
  checkFolder(site.workspace, request.directory);
  const view = {
    roots: workshop.systems[networkOf(request.egress)].roots,
    workspaceAt: WORKSPACE_IN_CAGE,
    workspace: site.workspace.descriptor,
    seen: workshop.programs,
  };
  const program = resolveExecutable(view, request.executable, request.directory);
  return planCommand(request, { workspaceAt: WORKSPACE_IN_CAGE, program });
}

/** Before anything is opened: what is wrong about the words alone, or with hosts. */
export async function checkFirst({ wayOut }: Workshop, request: SandboxRequest): Promise<void> {
  checkRequest(request);
  if (request.egress.mode !== 'preflight') return;
  if (wayOut === undefined) throw noWayOut();
  await wayOut.preflight(request);
}

function checkEgress({ wayOut }: Workshop, { egress }: CageRequest): readonly string[] {
  if (egress.mode === 'none') return [];
  if (egress.mode === 'strict' && egress.hosts.length === 0 && egress.secrets.length === 0) {
    return [];
  }
  if (wayOut === undefined) throw noWayOut();
  return wayOut.canonical(egress);
}

function noWayOut(): PalyraError {
  return new PalyraError('SANDBOX_EGRESS_DENIED', 'no host can be reached from this sandbox', {
    help: 'run it without hosts; the way out through the proxy is not connected here',
  });
}

function checkFolder({ descriptor }: Workspace, directory: string): void {
  // The workspace itself, which is open.
  if (directory === '.') return;
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
