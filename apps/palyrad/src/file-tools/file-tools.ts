import { create } from '@bufbuild/protobuf';
import type { Blobs } from '@palyra/blobs';
import type { Execution, ExecutionPlace, SandboxRequest, UndoPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { Executor, FileChangeSchema, ToolOutcome } from '@palyra/protocol';
import {
  DEFAULT_TOOL_LIMITS,
  type KeptVersion,
  type ToolOutput,
  canRun,
  openWorkspace,
  runTool,
} from '@palyra/tools';
import type { OwnPlaces } from '../own-places.ts';
import { createUndo } from './undo.ts';

export interface FileToolParts {
  readonly own: OwnPlaces;
  readonly blobs: Blobs;
}

/** What carries out calls that read and change files, without starting anything. */
export interface FileTools {
  carriesOut(tool: string): boolean;
  /** Rules are told that there is no cage around it; what it opens it looks at. */
  readonly place: ExecutionPlace;
  /** Contract: never rejects. */
  execute(request: SandboxRequest, signal: AbortSignal): Promise<Execution>;
  /** The way back from what it changed. */
  readonly undo: UndoPort;
}

export function createFileTools({ own, blobs }: FileToolParts): FileTools {
  return {
    carriesOut: canRun,
    place: { tier: 'none', executor: Executor.GATEWAY },
    undo: createUndo({ own, blobs }),
    execute: async (request, signal) => {
      try {
        return executionOf(await run(request, { own, blobs }, signal));
      } catch (reason) {
        return executionOf({ kind: 'failed', error: PalyraError.from(reason) });
      }
    },
  };
}

async function run(
  request: SandboxRequest,
  { own, blobs }: FileToolParts,
  signal: AbortSignal,
): Promise<ToolOutput> {
  using workspace = openWorkspace({ path: own.workspace, gatewayFolders: own.folders });
  const hands = {
    workspace,
    artifacts: blobs,
    undo: { keep: (old: KeptVersion) => keep(old, request, blobs) },
    limits: DEFAULT_TOOL_LIMITS,
  };
  return await runTool({ name: request.tool, arguments: request.arguments }, hands, signal);
}

/** The old content first, then the note of it: what the journal names can be given back. */
async function keep(
  { path, before, after }: KeptVersion,
  { callId, onFileChange }: SandboxRequest,
  blobs: Blobs,
): Promise<void> {
  if (before.kind === 'file') await blobs.put(before.bytes);
  await onFileChange(
    create(FileChangeSchema, {
      callId,
      path,
      ...(before.kind === 'file' && { beforeSha256: before.sha256, beforeMode: before.mode }),
      ...(after.kind === 'file' && { afterSha256: after.sha256 }),
    }),
  );
}

const ENFORCEMENT =
  'no program was started; each file was opened without following a link and looked at before it was used';

function executionOf(output: ToolOutput): Execution {
  const executor = Executor.GATEWAY;
  if (output.kind === 'succeeded') {
    const bytes = new Uint8Array(output.bytes);
    return { outcome: ToolOutcome.SUCCEEDED, executor, enforcement: ENFORCEMENT, output: bytes };
  }
  const { error } = output;
  const outcome = error.code === 'CANCELLED' ? ToolOutcome.CANCELLED : ToolOutcome.FAILED;
  return { outcome, executor, enforcement: ENFORCEMENT, output: new Uint8Array(), error };
}
