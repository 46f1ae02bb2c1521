import { PalyraError, quote } from '@palyra/kernel';
import { type HypotheticalAct, Role } from '@palyra/protocol';
import { callerOfStanding } from '../identity/caller-of-standing.ts';
import type { Caller } from '../identity/caller.ts';
import type { GatewayParts } from '../parts.ts';
import type { Standing } from '../ports.ts';
import { channelOf, memberNamed, standingOf } from './named-principal.ts';
import type { ImaginedAct } from './ports.ts';

type Parts = Pick<GatewayParts, 'identity' | 'workspace'>;

/** Something that nobody has done, asked as the doors would. */
export async function imagineAct(
  act: HypotheticalAct,
  caller: Caller,
  { identity, workspace }: Parts,
): Promise<ImaginedAct> {
  const standing = await standingOf(act.principal, caller, identity);
  const deviceId = caller.deviceId ?? caller.through?.at(-1) ?? '';
  const behind = { channel: channelOf(act.channel), deviceId };
  const imagined = { caller: { ...callerOfStanding(standing), ...behind }, action: act.action };
  if (act.action === 'workspace.open') {
    refuseSomebody(act);
    // As a run would have it: where none may work, nothing is to be decided.
    const chosen = workspace.choose(act.workspace);
    return { ...imagined, matter: { action: act.action, workspace: chosen } };
  }
  if (act.workspace !== '') {
    throw new PalyraError('INVALID_INPUT', `${quote(act.action)} is not about a folder`, {
      help: 'name one only for `workspace.open`, or for a call',
    });
  }
  const [group = ''] = act.action.split('.', 1);
  if (group === 'work') {
    const owner = await ownerOf(act.owner, standing, { identity });
    return { ...imagined, matter: { action: act.action, owner } };
  }
  if (group === 'people') {
    return {
      ...imagined,
      matter: { action: act.action, member: await memberOf(act, { identity }) },
    };
  }
  refuseSomebody(act);
  return imagined;
}

function refuseSomebody(act: HypotheticalAct): void {
  if (act.owner === '' && act.role === '') return;
  throw new PalyraError('INVALID_INPUT', `${quote(act.action)} is not about somebody`, {
    help: 'name somebody only for what begins with `work.` or `people.`',
  });
}

/** As runs and sessions name whose they are. */
async function ownerOf(
  owner: string,
  { principal }: Standing,
  parts: Pick<Parts, 'identity'>,
): Promise<string> {
  if (owner === '') return principal;
  const [word = '', name = ''] = owner.split(/:(.*)/s, 2);
  if (owner === 'everybody' || (word === 'token' && name !== '')) return owner;
  if (word === 'user') return `user:${(await memberNamed(name, parts.identity)).userId}`;
  throw new PalyraError('INVALID_INPUT', `${quote(owner)} is nobody's name`, {
    help: 'write `user:NAME`, `token:ID` or `everybody`',
  });
}

async function memberOf({ owner, role }: HypotheticalAct, { identity }: Pick<Parts, 'identity'>) {
  if (owner === '') return { userId: '', role: roleOf(role === '' ? 'operator' : role) };
  const [word = '', name = ''] = owner.split(/:(.*)/s, 2);
  const member = await memberNamed(word === 'user' ? name : owner, identity);
  return { userId: member.userId, role: role === '' ? member.role : roleOf(role) };
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['operator', Role.OPERATOR],
  ['admin', Role.ADMIN],
  ['owner', Role.OWNER],
]);

function roleOf(word: string): Role {
  const role = ROLES.get(word);
  if (role !== undefined) return role;
  throw new PalyraError('INVALID_INPUT', `there is no role ${quote(word)}`, {
    help: `one of ${[...ROLES.keys()].map((each) => `\`${each}\``).join(', ')}`,
  });
}
