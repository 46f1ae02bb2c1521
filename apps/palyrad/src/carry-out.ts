import type { SandboxPort } from '@palyra/gateway';
import type { FileTools } from './file-tools/file-tools.ts';

/** Files are the gateway's own work; everything else goes to a sandbox, or is refused there. */
export function carryOut(files: FileTools, sandbox: SandboxPort): SandboxPort {
  return {
    place: async (proposal) =>
      files.carriesOut(proposal.tool) ? files.place : await sandbox.place(proposal),
    execute: async (request, signal) =>
      files.carriesOut(request.tool)
        ? await files.execute(request, signal)
        : await sandbox.execute(request, signal),
  };
}
