import { create } from '@bufbuild/protobuf';
import type { ExecutionPlace } from '@palyra/gateway';
import {
  type CallPreview,
  CallPreviewSchema,
  SandboxTier,
  type ToolProposal,
} from '@palyra/protocol';
import { workspaceFolder } from '../folder-number.ts';
import type { Sandboxes } from '../sandbox-process.ts';
import { executorNameOf, provenWords } from './execution.ts';
import { directoryNumbers } from './folder-numbers.ts';
import { namedFiles } from './named-files.ts';
import { startOf } from './process-call.ts';

type Verdict = Awaited<ReturnType<Sandboxes['verdict']>>;

const TIERS: Readonly<Record<ExecutionPlace['tier'], SandboxTier>> = {
  none: SandboxTier.UNSPECIFIED,
  A: SandboxTier.A,
  B: SandboxTier.B,
  C: SandboxTier.C,
};

export interface Proven {
  readonly place: ExecutionPlace;
  readonly verdict: Verdict | undefined;
}

/** Where a command would run, and on which files, for people. Contract: never throws. */
export function previewOf(
  { arguments: args, workspace }: Pick<ToolProposal, 'arguments' | 'workspace'>,
  { place: { tier, executor }, verdict }: Proven,
): CallPreview {
  return create(CallPreviewSchema, {
    namedFiles: [...namedFiles(args, workspace)],
    tier: TIERS[tier],
    executor,
    posture: postureOf(executorNameOf(executor), verdict),
    workspace: workspaceFolder(workspace).number,
    directory: directoryNumbers(workspace, startOf(args)),
  });
}

/** What was seen of a cage, in words. */
export function postureOf(executor: string, verdict: Verdict | undefined): string {
  const step = verdict?.steps.find((each) => each.executor === executor && each.isProven);
  const weaker = (step?.weaknesses ?? []).map((weakness) => `weaker: ${weakness}`);
  return [provenWords(executor, verdict), ...weaker].join('; ');
}
