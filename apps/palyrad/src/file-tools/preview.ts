import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type CallPreview,
  CallPreviewSchema,
  ErrorCode,
  ErrorDetailSchema,
  Executor,
  type ToolProposal,
} from '@palyra/protocol';
import { type ChangePreview, DEFAULT_TOOL_LIMITS, previewChanges } from '@palyra/tools';
import { folderNumber } from '../folder-number.ts';
import { openIn } from '../open-in.ts';
import type { Workspaces } from '../workspaces.ts';

/** Of one diff, in characters: more than anybody reads, and the arguments have all of it. */
const MAX_DIFF = 65_536;
const MAX_FILES = 1_000;

const POSTURE =
  'no cage: the gateway itself works on files of the workspace, each opened through no link';

/** Contract: never throws, changes nothing. */
export function previewOf(
  { tool, arguments: args, workspace: path, callId }: ToolProposal,
  workspaces: Pick<Workspaces, 'groundIn' | 'mountPoints'>,
): CallPreview {
  const preview = create(CallPreviewSchema, { executor: Executor.GATEWAY, posture: POSTURE });
  try {
    using workspace = openIn(path, workspaces);
    preview.workspace = folderNumber(workspace.descriptor);
    const undo = { keep: refuseChange };
    const hands = { workspace, undo, limits: DEFAULT_TOOL_LIMITS, callId };
    const shown = previewChanges({ name: tool, arguments: args ?? {} }, hands);
    return shown === undefined ? preview : { ...preview, ...fieldsOf(shown) };
  } catch (reason) {
    const { code, message, help } = PalyraError.from(reason);
    const refusal = create(ErrorDetailSchema, { code: ErrorCode[code], message, help });
    return { ...preview, refusal };
  }
}

/** Nothing is changed here, so nothing has to be kept. */
async function refuseChange(): Promise<never> {
  throw new PalyraError('CANCELLED', 'this was only a look');
}

function fieldsOf({ changes, diff }: ChangePreview): Partial<CallPreview> {
  if (changes.length > MAX_FILES) {
    throw new PalyraError('INVALID_INPUT', `the call changes more than ${MAX_FILES} files`, {
      help: 'change fewer files in one call, so that a person can look at them',
    });
  }
  const shown = diff.slice(0, MAX_DIFF).toWellFormed();
  return {
    changes: changes.map(({ path, before, after, facts }) => ({
      $typeName: 'palyra.v1.ShownChange',
      path,
      beforeSha256: before.kind === 'file' ? before.sha256 : '',
      afterSha256: after.kind === 'file' ? after.sha256 : '',
      facts,
    })),
    diff: shown,
    diffBytesLeftOut: Buffer.byteLength(diff) - Buffer.byteLength(shown),
  };
}
