import type { Blobs } from '@palyra/blobs';
import type { SandboxRequest, UndoPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { Executor, type WorkspaceFolder } from '@palyra/protocol';
import {
  DEFAULT_TOOL_LIMITS,
  type ChangePlace,
  type KeptVersion,
  type PlannedChange,
  type ToolOutput,
  canRun,
  runTool,
} from '@palyra/tools';
import type { OwnTools } from '../carry-out.ts';
import { demandAsShown, demandShownChange, unlikeShown } from '../as-shown.ts';
import { openedFolder } from '../folder-number.ts';
import { openIn } from '../open-in.ts';
import { ownExecution } from '../own-execution.ts';
import type { Workspaces } from '../workspaces.ts';
import { changeOf } from './change-of.ts';
import { previewOf } from './preview.ts';
import { createUndo } from './undo.ts';

export interface FileToolParts {
  readonly workspaces: Pick<Workspaces, 'groundIn' | 'has' | 'home' | 'mountPoints'>;
  readonly blobs: Blobs;
}

/** What carries out calls that read and change files; what it opens it looks at. */
export interface FileTools extends OwnTools {
  /** The way back from what it changed. */
  readonly undo: UndoPort;
}

export function createFileTools(parts: FileToolParts): FileTools {
  return {
    carriesOut: canRun,
    place: { tier: 'none', executor: Executor.GATEWAY },
    preview: async (proposal) => previewOf(proposal, parts.workspaces),
    undo: createUndo(parts),
    execute: async (request, signal) => {
      try {
        return ownExecution(await run(request, parts, signal), ENFORCEMENT);
      } catch (reason) {
        return ownExecution({ kind: 'failed', error: PalyraError.from(reason) }, ENFORCEMENT);
      }
    },
  };
}

async function run(
  request: SandboxRequest,
  { workspaces, blobs }: FileToolParts,
  signal: AbortSignal,
): Promise<ToolOutput> {
  using workspace = openIn(request.workspace, workspaces);
  const folder = openedFolder(workspace);
  demandAsShown(request.shown, () => folder.number);
  let isPlanned = false;
  const undo = {
    keep: async (old: KeptVersion, place: ChangePlace) => {
      isPlanned = true;
      await keep({ ...old, ...place }, { request, folder, blobs });
    },
  };
  const { callId } = request;
  const hands = { workspace, undo, limits: DEFAULT_TOOL_LIMITS, callId };
  const call = { name: request.tool, arguments: request.arguments };
  const output = await runTool(call, hands, signal);
  if (output.kind === 'succeeded') return output;
  const how = isPlanned ? 'planned' : 'not-planned';
  return { ...output, error: unlikeShown(request.shown, output.error, how) };
}

interface Keeper {
  readonly request: SandboxRequest;
  readonly folder: WorkspaceFolder;
  readonly blobs: Blobs;
}

/** The old content first, then the note of it: what the journal names can be given back. */
async function keep(old: PlannedChange, { request, folder, blobs }: Keeper): Promise<void> {
  const { before } = old;
  const { callId, onFileChange, shown } = request;
  const change = { ...changeOf(old, folder), callId };
  demandShownChange(shown, { ...change, facts: old.facts });
  if (before.kind === 'file') await blobs.put(before.bytes);
  await onFileChange(change);
}

const ENFORCEMENT =
  'no program was started; each file was opened without following a link and looked at before it was used';
