import { diffOfWrite } from './fs-write/preview.ts';
import { planWrite } from './fs-write/run.ts';
import { diffOf } from './fs-patch/preview.ts';
import { fsPatchArguments } from './fs-patch/manifest.ts';
import { planPatch } from './fs-patch/plan.ts';
import type { PlannedChange, ToolHands } from './hands.ts';
import type { ToolRun } from './run-tool.ts';
import { plannedOf } from './workspace/apply-changes.ts';
import { readArguments } from './workspace/read-arguments.ts';

/** What a call would change in the files as they are now. */
export interface ChangePreview {
  readonly changes: readonly PlannedChange[];
  /** Made of what was understood, not of what was written; each character visible. */
  readonly diff: string;
}

/**
 * Contract: `undefined` for a tool that changes no files by itself; throws a PalyraError for a call
 * that would be refused now; changes nothing.
 */
export function previewChanges(
  { name, arguments: args }: ToolRun,
  hands: ToolHands,
): ChangePreview | undefined {
  switch (name) {
    case 'fs.write': {
      const { change } = planWrite(args, hands);
      return { changes: [plannedOf(change)], diff: diffOfWrite(change) };
    }
    case 'fs.patch': {
      const { patch } = readArguments(fsPatchArguments(), args);
      const { files, changes } = planPatch(patch, hands);
      return { changes: changes.map(plannedOf), diff: diffOf(files) };
    }
    default:
      return undefined;
  }
}
