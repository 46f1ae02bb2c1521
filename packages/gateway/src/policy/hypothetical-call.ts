import { PalyraError, quote } from '@palyra/kernel';
import { type HypotheticalCall, PrincipalKind, Role } from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import type { IdentityPort } from '../identity/ports.ts';
import type { GatewayParts } from '../parts.ts';
import type { JudgedCall, Standing } from '../ports.ts';
import { propose } from '../tool-call/1-proposal.ts';

type Parts = Pick<GatewayParts, 'ids' | 'catalogue' | 'identity' | 'sandbox'>;

/** A call that nobody made, read by the tool as a real one is. */
export async function imagineCall(
  call: HypotheticalCall,
  caller: Caller,
  { ids, catalogue, identity, sandbox }: Parts,
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

/** Every door that there is, or will be. */
const CHANNELS = ['cli', 'console', 'desktop', 'api', 'schedule', 'worker'] as const;

function channelOf(word: string): string {
  if (word === '') return 'cli';
  if (CHANNELS.some((channel) => channel === word)) return word;
  throw new PalyraError('INVALID_INPUT', `there is no channel ${quote(word)}`, {
    help: `one of ${CHANNELS.map((channel) => `\`${channel}\``).join(', ')}`,
  });
}

/** `user:NAME or id`, `token:id`, `agent:name`; empty for whoever asks. */
async function standingOf(
  principal: string,
  caller: Caller,
  identity: IdentityPort,
): Promise<Standing> {
  if (principal === '') return await ownStanding(caller, identity);
  const [word = '', name = ''] = principal.split(/:(.*)/s, 2);
  switch (word) {
    case 'user':
      return await memberStanding(name, identity);
    case 'token':
      return await identity.access.standing(principal, '');
    case 'agent':
      return agentStanding(name, caller);
    default:
      throw new PalyraError('INVALID_INPUT', `${quote(principal)} names no principal`, {
        help: 'write `user:NAME`, `token:ID` or `agent:NAME`',
      });
  }
}

async function ownStanding(caller: Caller, identity: IdentityPort): Promise<Standing> {
  const deviceId = caller.deviceId ?? caller.through?.at(-1) ?? '';
  return await identity.access.standing(caller.principal, deviceId);
}

/** Through a device that limits nothing. */
async function memberStanding(name: string, identity: IdentityPort): Promise<Standing> {
  const members = await identity.members.list();
  const member =
    members.find(({ userId }) => userId === name) ?? members.find((each) => each.name === name);
  if (member === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no member ${quote(name)}`, {
      help: 'list them with `palyra access members list`',
    });
  }
  const principal = `user:${member.userId}`;
  const { role } = member;
  const kind = PrincipalKind.USER;
  return { principal, kind, member: principal, name: member.name, role, scopes: [] };
}

/** Every agent that there is: a name with a typo in it would be denied, and look like a rule that works. */
const AGENTS: readonly string[] = ['palyra'];

function agentStanding(name: string, { member }: Caller): Standing {
  if (!AGENTS.includes(name)) {
    throw new PalyraError('NOT_FOUND', `there is no agent ${quote(name)}`, {
      help: `there is only ${AGENTS.map((agent) => `\`agent:${agent}\``).join(', ')}`,
    });
  }
  return {
    principal: `agent:${name}`,
    kind: PrincipalKind.AGENT,
    member: member === undefined ? '' : `user:${member.userId}`,
    name: member?.name ?? '',
    role: Role.UNSPECIFIED,
    scopes: [],
  };
}
