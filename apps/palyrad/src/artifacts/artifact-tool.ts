import { create } from '@bufbuild/protobuf';
import type { Blobs } from '@palyra/blobs';
import { CallPreviewSchema, Executor } from '@palyra/protocol';
import { runArtifactRead } from '@palyra/tools';
import type { OwnTools } from '../carry-out.ts';
import { ownExecution } from '../own-execution.ts';
import type { SizeInSession } from './session-artifacts.ts';

export interface ArtifactToolParts {
  readonly blobs: Pick<Blobs, 'get'>;
  readonly sizeInSession: SizeInSession;
}

const ENFORCEMENT = 'no program was started; only what a call of this session left was read';

/** Reads on in what earlier calls of the same session left. */
export function createArtifactTool({ blobs, sizeInSession }: ArtifactToolParts): OwnTools {
  const executor = Executor.GATEWAY;
  return {
    carriesOut: (tool) => tool === 'artifact.read',
    place: { tier: 'none', executor },
    preview: async () => create(CallPreviewSchema, { executor, posture: ENFORCEMENT }),
    execute: async (request, signal) => {
      const artifacts = {
        sizeOf: (sha256: string) => sizeInSession(request, sha256),
        get: (sha256: string, offset: number, length: number) => blobs.get(sha256, offset, length),
      };
      return ownExecution(await runArtifactRead(request.arguments, artifacts, signal), ENFORCEMENT);
    },
  };
}
