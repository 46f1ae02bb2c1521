import type { GatewayParts } from '../parts.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';
import type { PastRuns } from './context/past-runs.ts';

/** What runs share besides what the gateway is made of. */
export interface RunParts extends GatewayParts {
  readonly pastRuns: PastRuns;
}

/** A run as its own loop has it: a call needs less. */
export interface RunContext extends ToolCallContext {
  readonly parts: RunParts;
}
