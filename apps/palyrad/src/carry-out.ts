import type { Execution, ExecutionPlace, SandboxPort, SandboxRequest } from '@palyra/gateway';
import type { CallPreview, ToolProposal } from '@palyra/protocol';

/** Tools whose calls the gateway carries out itself, without starting a program. */
export interface OwnTools {
  carriesOut(tool: string): boolean;
  /** Rules are told that there is no cage around it. */
  readonly place: ExecutionPlace;
  /** Contract: never rejects, changes nothing. */
  preview(proposal: ToolProposal): Promise<CallPreview>;
  /** Contract: never rejects. */
  execute(request: SandboxRequest, signal: AbortSignal): Promise<Execution>;
}

/** What is the gateway's own work it does; everything else goes to a sandbox, or is refused there. */
export function carryOut(own: readonly OwnTools[], sandbox: SandboxPort): SandboxPort {
  const ownFor = (tool: string) => own.find((tools) => tools.carriesOut(tool));
  return {
    place: async (proposal) => ownFor(proposal.tool)?.place ?? (await sandbox.place(proposal)),
    preview: async (proposal) => await (ownFor(proposal.tool) ?? sandbox).preview(proposal),
    expect: (call) => {
      if (ownFor(call.tool) === undefined) sandbox.expect(call);
    },
    expectRun: (run) => sandbox.expectRun(run),
    execute: async (request, signal) =>
      await (ownFor(request.tool) ?? sandbox).execute(request, signal),
  };
}
