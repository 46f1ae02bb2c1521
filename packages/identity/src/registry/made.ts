import { type Clock, PalyraError } from '@palyra/kernel';
import { type Device, DeviceState, type Member, type Token } from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { type RecordsPort, retryOnConflict, type Row } from '@palyra/records';
import type { PeopleAction, PeopleMatter, PeopleRules } from '../people-rules.ts';
import { changeOf, type Ending, MAX_STEPS, revokeDevice, revokeToken, STEP } from './endings.ts';
import type { Tables } from './tables.ts';
import { isInForce } from './token-terms.ts';

/** So many devices may have come of one another, one after the other. */
const MAX_LINEAGE = 32;

export interface MadeParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly rules: PeopleRules;
}

export interface Made {
  readonly devices: readonly Device[];
  /** Their ids. */
  readonly tokens: readonly string[];
}

interface MadeRows {
  readonly devices: readonly Row<Device>[];
  readonly tokens: readonly Row<Token>[];
}

/**
 * What came of a device: whoever stole it may have let in others before it was revoked. Each record
 * names all those before it, so a link that was removed hides nothing of what came after it.
 */
export class MadeThrough {
  readonly #parts: MadeParts;

  constructor(parts: MadeParts) {
    this.#parts = parts;
  }

  /** What is in force of it. */
  async made(deviceId: string): Promise<Made> {
    return told(await this.#inForce(deviceId));
  }

  /**
   * Ends it, a step at a time. Contract: in what it returns, a device that still is active, and every
   * token, belongs to somebody above the caller.
   */
  async revokeMade(deviceId: string, caller: Caller): Promise<Made> {
    const all = await this.#inForce(deviceId);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (!(await this.#endSome(deviceId, caller))) break;
    }
    const { devices } = this.#parts.tables;
    const now = await Promise.all(all.devices.map(({ id }) => devices.get(id)));
    const kept = now.filter((row) => row !== undefined);
    const { tokens } = await this.#inForce(deviceId);
    return told({ tokens, devices: kept });
  }

  /** Whether there was anything. */
  #endSome(deviceId: string, caller: Caller): Promise<boolean> {
    const { records, tables, clock } = this.#parts;
    return retryOnConflict(async () => {
      const { devices, tokens } = await this.#inForce(deviceId);
      const members = (await tables.members.all()).map(({ value }) => value);
      const mayUnpair = await this.#within(devices, { action: 'people.unpair', members }, caller);
      const mayRevoke = await this.#within(tokens, { action: 'people.revoke', members }, caller);
      const when = { at: clock.now().toISOString(), actor: caller.actor };
      const endings: readonly Ending[] = [
        ...devices.filter(mayUnpair).map((row) => revokeDevice(tables.devices, row, when)),
        ...tokens.filter(mayRevoke).map((row) => revokeToken(tables.tokens, row, when)),
      ].slice(0, STEP);
      if (endings.length > 0) await records.transact(changeOf(endings));
      return endings.length > 0;
    });
  }

  /** Asks once about each of those whose they are; what a removed member left is anybody's to end. */
  async #within(
    rows: readonly Row<Device | Token>[],
    { action, members }: { readonly action: PeopleAction; readonly members: readonly Member[] },
    caller: Caller,
  ): Promise<(row: Row<Device | Token>) => boolean> {
    const owners = new Set(rows.map(({ value }) => value.userId));
    const refused = new Set<string>();
    for (const member of members.filter(({ userId }) => owners.has(userId))) {
      if (!(await this.#mayTouch(caller, { action, member }))) refused.add(member.userId);
    }
    return ({ value }) => !refused.has(value.userId);
  }

  async #mayTouch(caller: Caller, matter: PeopleMatter): Promise<boolean> {
    try {
      await this.#parts.rules.touch(caller, matter);
      return true;
    } catch (reason) {
      const fault = PalyraError.from(reason);
      if (fault.code === 'PERMISSION_DENIED') return false;
      throw fault;
    }
  }

  async #inForce(deviceId: string): Promise<MadeRows> {
    const { tables, clock } = this.#parts;
    const now = clock.now();
    return {
      devices: (await tables.devices.all()).filter(
        ({ value }) => value.state === DeviceState.ACTIVE && value.madeThrough.includes(deviceId),
      ),
      tokens: (await tables.tokens.all()).filter(
        ({ value }) => isInForce(value, now) && value.madeThrough.includes(deviceId),
      ),
    };
  }
}

/** Contract: throws OVERLOADED for a caller whose device has too many before it. */
export function lineageOf({ through = [] }: Caller): readonly string[] {
  if (through.length <= MAX_LINEAGE) return through;
  throw new PalyraError('OVERLOADED', `${MAX_LINEAGE} devices in a row have let one another in`, {
    help: 'confirm it from an older device, or on the machine of the gateway',
  });
}

function told({ devices, tokens }: MadeRows): Made {
  return {
    devices: devices.map(({ value }) => value),
    tokens: tokens.map(({ value }) => value.tokenId),
  };
}
