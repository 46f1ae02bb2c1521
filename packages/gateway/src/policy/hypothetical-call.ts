import type { HypotheticalCall } from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import type { GatewayParts } from '../parts.ts';
import type { JudgedCall } from '../ports.ts';
import { propose } from '../tool-call/1-proposal.ts';
import { channelOf, standingOf } from './named-principal.ts';

type Parts = Pick<GatewayParts, 'ids' | 'catalogue' | 'identity' | 'sandbox' | 'workspace'>;

/** A call that nobody made, read by the tool as a real one is. */
export async function imagineCall(
  call: HypotheticalCall,
  caller: Caller,
  { ids, catalogue, identity, sandbox, workspace }: Parts,
): Promise<JudgedCall> {
  const standing = await standingOf(call.principal, caller, identity);
  const channel = channelOf(call.channel);
  const deviceId = caller.deviceId ?? caller.through?.at(-1) ?? '';
  const { principal } = standing;
  const run = {
    runId: ids.next<'run'>(),
    sessionId: ids.next<'session'>(),
    principal,
    channel,
    deviceId,
    // As a run would have it: where none may work, no call is to be judged.
    workspace: workspace.choose(call.workspace),
  };
  const argumentsJson = JSON.stringify(call.arguments ?? {});
  const asked = { callId: ids.next<'call'>(), tool: call.tool, argumentsJson };
  const proposed = propose(asked, run, catalogue);
  if (proposed.kind === 'unsound') throw proposed.fault;
  const source = catalogue.find(call.tool)?.source ?? '';
  const { proposal } = proposed;
  const { tier } = await sandbox.place(proposal);
  // Nobody made the call, so nobody has seen anything before it; whoever asks may assume otherwise.
  return { proposal, source, standing, channel, deviceId, tier, taint: [], budget: 'within' };
}
