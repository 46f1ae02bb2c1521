import type { SecretUse } from '../model.ts';
import type { BwrapIdentity } from '../tier-c-bubblewrap/bwrap-binary.ts';
import type { CageOutline, CageRequest } from '../tier-c-bubblewrap/plan.ts';

/** All that a warm sandbox must have in common with the command that gets it. */
export interface Likeness {
  readonly request: CageRequest;
  readonly workspace: { readonly device: number; readonly inode: number };
  readonly plan: CageOutline;
  /** Of what is guarded in the workspace, which `plan` has too. */
  readonly digest: string;
  readonly bwrap: BwrapIdentity;
}

/** What differs in any of it never shares a sandbox. */
export function likenessKey({ request, workspace, plan, digest, bwrap }: Likeness): string {
  const { device, inode } = workspace;
  // A list, whose order is fixed: it is made for every command.
  const parts = [
    request.principal,
    request.session,
    request.workspace,
    [device, inode],
    digest,
    request.policySetHash,
    request.egress.mode,
    plan.hosts,
    plan.secrets.map(secretText).toSorted(),
    request.limits.scratchBytes,
    plan.filterHash,
    [bwrap.path, bwrap.device, bwrap.inode, bwrap.size, bwrap.changedMs],
  ];
  return JSON.stringify(parts);
}

function secretText({ variable, name, use }: SecretUse): string {
  return JSON.stringify([variable, name, use]);
}
