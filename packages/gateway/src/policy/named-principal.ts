import { PalyraError, quote } from '@palyra/kernel';
import { type Member, PrincipalKind, Role } from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import type { IdentityPort } from '../identity/ports.ts';
import type { Standing } from '../ports.ts';

/** Every door that there is, or will be. */
const CHANNELS = ['cli', 'console', 'desktop', 'api', 'schedule', 'worker'] as const;

export function channelOf(word: string): string {
  if (word === '') return 'cli';
  if (CHANNELS.some((channel) => channel === word)) return word;
  throw new PalyraError('INVALID_INPUT', `there is no channel ${quote(word)}`, {
    help: `one of ${CHANNELS.map((channel) => `\`${channel}\``).join(', ')}`,
  });
}

/** `user:NAME or id`, `token:id`, `agent:name`; empty for whoever asks. */
export async function standingOf(
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

/** Through a device that limits nothing. Whoever is no member has no role, and is nobody's guest. */
async function memberStanding(name: string, identity: IdentityPort): Promise<Standing> {
  const member = await findMember(name, identity);
  if (member === undefined) return strangerStanding(name);
  const principal = `user:${member.userId}`;
  const { role } = member;
  const kind = PrincipalKind.USER;
  return { principal, kind, member: principal, name: member.name, role, scopes: [] };
}

function strangerStanding(name: string): Standing {
  if (name === '') {
    throw new PalyraError('INVALID_INPUT', '`user:` names nobody', { help: 'write `user:NAME`' });
  }
  const principal = `user:${name}`;
  const kind = PrincipalKind.USER;
  return { principal, kind, member: '', name, role: Role.UNSPECIFIED, scopes: [] };
}

/** The name of somebody who is asked about and is no member; `undefined` for everybody else. */
export async function strangerIn(
  principal: string,
  identity: Pick<IdentityPort, 'members'>,
): Promise<string | undefined> {
  const [word = '', name = ''] = principal.split(/:(.*)/s, 2);
  if (word !== 'user') return undefined;
  return (await findMember(name, identity)) === undefined ? name : undefined;
}

async function findMember(
  name: string,
  { members }: Pick<IdentityPort, 'members'>,
): Promise<Member | undefined> {
  const all = await members.list();
  return all.find(({ userId }) => userId === name) ?? all.find((one) => one.name === name);
}

/** By id or name. Contract: NOT_FOUND for any other. */
export async function memberNamed(
  name: string,
  identity: Pick<IdentityPort, 'members'>,
): Promise<Member> {
  const member = await findMember(name, identity);
  if (member !== undefined) return member;
  throw new PalyraError('NOT_FOUND', `there is no member ${quote(name)}`, {
    help: 'list them with `palyra access members list`',
  });
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
