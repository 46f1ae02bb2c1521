import { type Clock, permissionWord } from '@palyra/kernel';
import { DeviceState, type Member, PrincipalKind, Role, type Token } from '@palyra/protocol';
import type { Standing } from '../caller.ts';
import type { Tables } from '../registry/tables.ts';
import { effectivePermissions, isInForce } from '../registry/token-terms.ts';
import { roleThrough } from './principal.ts';
import { Remembered } from './remembered.ts';

export interface StandingsParts {
  readonly tables: Pick<Tables, 'members' | 'devices' | 'tokens'>;
  readonly clock: Clock;
}

interface FoundToken {
  readonly token: Token | undefined;
}

/**
 * Whose rights something has that goes on without its caller. Asked for each step anew: what was
 * taken back meanwhile is gone.
 */
export class Standings {
  readonly #parts: StandingsParts;
  readonly #tokens: Remembered<FoundToken>;

  constructor(parts: StandingsParts) {
    this.#parts = parts;
    this.#tokens = new Remembered(() => parts.tables.tokens.revision());
  }

  /** Contract: whoever is unknown, revoked or removed has a standing too, with no role and no scope. */
  async of(principal: string, deviceId: string): Promise<Standing> {
    const [word = '', id = ''] = principal.split(':', 2);
    switch (word) {
      case 'user':
        return await this.#ofUser(id, deviceId);
      case 'token':
        return await this.#ofToken(id);
      case 'worker':
        return nobody(principal, PrincipalKind.WORKER);
      case 'device':
        return nobody(principal, PrincipalKind.DEVICE);
      case 'agent':
        return nobody(principal, PrincipalKind.AGENT);
      default:
        return nobody(principal, PrincipalKind.UNSPECIFIED);
    }
  }

  /** INVARIANT: a person acts through a device; without one that is theirs they are nobody. */
  async #ofUser(userId: string, deviceId: string): Promise<Standing> {
    const principal = `user:${userId}`;
    const { devices, members } = this.#parts.tables;
    const device = (await devices.get(deviceId))?.value;
    const member = (await members.get(userId))?.value;
    const gone = nobody(principal, PrincipalKind.USER);
    if (member === undefined) return gone;
    const known = { ...gone, member: principal, name: member.name };
    if (device?.state !== DeviceState.ACTIVE || device.userId !== userId) return known;
    return { ...known, role: roleThrough(device, member) };
  }

  async #ofToken(tokenId: string): Promise<Standing> {
    const gone = nobody(`token:${tokenId}`, PrincipalKind.TOKEN);
    const { token } = await this.#tokens.get(tokenId, () => this.#findToken(tokenId));
    if (token === undefined) return gone;
    const member = (await this.#parts.tables.members.get(token.userId))?.value;
    if (member === undefined) return gone;
    const known = { ...gone, member: `user:${member.userId}`, name: member.name };
    // By the clock too, and so not remembered.
    if (!isInForce(token, this.#parts.clock.now())) return known;
    return { ...known, role: member.role, scopes: scopesOf(token, member) };
  }

  /** By its id, which is no key: at most as many rows as the table may have, once a change. */
  async #findToken(tokenId: string): Promise<FoundToken> {
    const rows = await this.#parts.tables.tokens.all();
    return { token: rows.find(({ value }) => value.tokenId === tokenId)?.value };
  }
}

function nobody(principal: string, kind: PrincipalKind): Standing {
  return { principal, kind, member: '', name: '', role: Role.UNSPECIFIED, scopes: [] };
}

function scopesOf(token: Token, member: Member): readonly string[] {
  return [...effectivePermissions(token, member)].map(permissionWord);
}
