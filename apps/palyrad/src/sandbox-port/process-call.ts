import { isAbsolute, relative } from 'node:path';
import type { SandboxRequest as Call } from '@palyra/gateway';
import { type JsonObject, PalyraError } from '@palyra/kernel';
import { z } from 'zod';
import { refuseOwnGround } from '../own-ground.ts';
import type { OwnPlaces } from '../own-places.ts';
import type { Ending, Limits, SandboxRequest } from '../sandbox-process.ts';
import { type EgressRequest, egressOf } from './egress-request.ts';

export function isProcessRun(tool: string): boolean {
  return tool === 'process.run';
}

/** As the tool's own manifest has spelled them. */
const ARGUMENTS = z.strictObject({
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  stdin: z.string(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  tier: z.enum(['B', 'C']),
  hosts: z.array(z.string()),
  timeout_ms: z.int(),
});

/** What is asked for, and for whom. */
type CallOfSomebody = Pick<Call, 'arguments' | 'principal' | 'sessionId' | 'policySetHash'>;

export interface Ground {
  readonly own: OwnPlaces;
  readonly limits: Limits;
  /** What the operator lets a command without a cage reach; one in a cage reaches whom it names. */
  readonly egress: EgressRequest['mode'];
}

/** Contract: throws for what must not run; pure. */
export function commandOf(call: CallOfSomebody, { own, limits, egress }: Ground): SandboxRequest {
  const { command, args, cwd, stdin, env, tier, hosts, timeout_ms } = read(call.arguments);
  refuseOwnGround(own);
  return {
    tier,
    executable: command,
    arguments: args,
    workspace: own.workspace,
    directory: directoryIn(own.workspace, cwd),
    environment: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    stdin: new TextEncoder().encode(stdin),
    limits: timeout_ms === 0 ? limits : within(limits, timeout_ms),
    egress: egressOf(tier === 'C' ? 'strict' : egress, hosts),
    principal: call.principal,
    session: call.sessionId,
    policySetHash: call.policySetHash,
  };
}

/** A command that was ended by the time of its own call gets advice about that; no setting would help it. */
export function endingOf(ending: Ending, { limits }: SandboxRequest, usual: Limits): Ending {
  const { fault } = ending;
  if (fault?.code !== 'SANDBOX_TIMED_OUT' || limits.wallTimeMs >= usual.wallTimeMs) return ending;
  const help = `split the work, or give the call a longer \`timeout_ms\`, up to ${usual.wallTimeMs}`;
  return { ...ending, fault: { ...fault, help } };
}

/** The cage that a call asks for. Contract: never throws; what cannot be read asks for the strongest. */
export function tierOf(args: JsonObject | undefined): 'B' | 'C' {
  return args?.['tier'] === 'B' ? 'B' : 'C';
}

/** The folder that a call starts in. Contract: never throws; what cannot be read is the workspace itself. */
export function startOf(args: JsonObject | undefined): string {
  const cwd = args?.['cwd'];
  return typeof cwd === 'string' ? cwd : '.';
}

function read(args: JsonObject): z.infer<typeof ARGUMENTS> {
  const parsed = ARGUMENTS.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new PalyraError('TOOL_ARGUMENTS_INVALID', 'the call is not one of `process.run`', {
    cause: parsed.error,
  });
}

/** A call may ask for less time than is usual, never for more. */
function within(limits: Limits, askedMs: number): Limits {
  return { ...limits, wallTimeMs: Math.min(limits.wallTimeMs, askedMs) };
}

/** Where it is not inside, the sandbox refuses what this gives. */
function directoryIn(workspace: string, cwd: string): string {
  if (!isAbsolute(cwd)) return cwd;
  const inside = relative(workspace, cwd);
  return inside === '' ? '.' : inside;
}
