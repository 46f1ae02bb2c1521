import type { Sandbox, SandboxStep } from '@palyra/protocol';

/** What people ask about sandboxes, beside having them run something. */
export interface SandboxDesk {
  /** Contract: at hand; tries nothing, and waits for nothing that is tried. */
  show(): Promise<Sandbox>;
  /**
   * Tries every attack now; answers with what holds from then on. Contract: rejects with
   * SANDBOX_UNAVAILABLE when nobody could try; never called twice at once.
   */
  prove(onStep: (step: SandboxStep) => void): Promise<Sandbox>;
}
