import { create } from '@bufbuild/protobuf';
import type { Clock, EntryDraft } from '@palyra/kernel';
import {
  type ConsoleSession,
  type Device,
  DeviceSchema,
  DeviceState,
  type MemberPasskeys,
  type Token,
  TokenSchema,
} from '@palyra/protocol';
import { GATEWAY } from '../caller.ts';
import {
  type RecordsPort,
  type RecordWrite,
  retryOnConflict,
  type Row,
  type Table,
} from '@palyra/records';
import { consoleEntry, deviceEntry, passkeyEntry, tokenEntry } from './notes.ts';
import { registryRevision, type Tables } from './tables.ts';

/** One right that ends, and the entry that tells of it. */
export interface Ending {
  readonly write: RecordWrite;
  readonly entry: EntryDraft;
}

export interface EndingsParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
}

/** Below the 64 writes that one change may hold: whoever asks has writes of their own beside it. */
export const STEP = 48;
/** Every record that can end fits into this many steps, even if all are one member's. */
export const MAX_STEPS = 64;

/** Ends what somebody holds: devices and tokens are revoked, console links, sessions and passkeys dropped. */
export class Endings {
  readonly #records: RecordsPort;
  readonly #tables: Tables;
  readonly #clock: Clock;
  /** Where the store stood when a sweep last found nothing: until it moves, there is nothing. */
  #sweptRevision: number | undefined;

  constructor({ records, tables, clock }: EndingsParts) {
    this.#records = records;
    this.#tables = tables;
    this.#clock = clock;
  }

  /** The first of everything that those members hold, at most one step of it. */
  async of(holds: (userId: string) => boolean, actor: string): Promise<readonly Ending[]> {
    const { devices, tokens, sessions, links, passkeys } = this.#tables;
    const at = this.#clock.now().toISOString();
    return [
      ...(await devices.all())
        .filter(({ value }) => value.state === DeviceState.ACTIVE && holds(value.userId))
        .map((row) => revokeDevice(devices, row, { at, actor })),
      ...(await tokens.all())
        .filter(({ value }) => value.revokedAt === '' && holds(value.userId))
        .map((row) => revokeToken(tokens, row, { at, actor })),
      ...(await closeHeld(sessions, holds, actor)),
      ...(await closeHeld(links, holds, actor)),
      ...(await passkeys.all())
        .filter(({ value }) => holds(value.userId))
        .map((row) => dropPasskeys(passkeys, row, actor)),
    ].slice(0, STEP);
  }

  /** Contract: when it resolves, nothing is left that those members hold. */
  async endAll(holds: (userId: string) => boolean, actor: string): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (!(await this.#endSome(holds, actor))) return;
    }
  }

  /** One step of what a crash left behind after its member was removed: dead already, but shown. */
  async sweep(): Promise<void> {
    const revision = registryRevision(this.#tables);
    if (revision === this.#sweptRevision) return;
    const { devices, tokens, sessions, links, passkeys, members } = this.#tables;
    const held = new Set<string>();
    for (const table of [devices, tokens, sessions, links, passkeys]) {
      for (const { value } of await table.all()) held.add(value.userId);
    }
    // Members after what they hold: whoever joins in between is never taken for gone.
    const present = new Set((await members.all()).map(({ id }) => id));
    const gone = held.difference(present);
    const found = gone.size > 0 && (await this.#endSome((userId) => gone.has(userId), GATEWAY));
    this.#sweptRevision = found ? undefined : revision;
  }

  /** Whether there was anything. */
  #endSome(holds: (userId: string) => boolean, actor: string): Promise<boolean> {
    return retryOnConflict(async () => {
      const endings = await this.of(holds, actor);
      if (endings.length === 0) return false;
      await this.#records.transact(changeOf(endings));
      return true;
    });
  }
}

export function changeOf(endings: readonly Ending[]): {
  readonly writes: readonly RecordWrite[];
  readonly entries: readonly EntryDraft[];
} {
  return { writes: endings.map(({ write }) => write), entries: endings.map(({ entry }) => entry) };
}

interface When {
  readonly at: string;
  readonly actor: string;
}

export function revokeDevice(
  table: Table<typeof DeviceSchema>,
  { id, version, value }: Row<Device>,
  { at, actor }: When,
): Ending {
  const revoked = revokedDevice(value, { at, actor });
  return {
    write: table.put(id, revoked, version),
    entry: deviceEntry('device.revoked', revoked, actor),
  };
}

export function revokedDevice(device: Device, { at, actor }: When): Device {
  const state = DeviceState.REVOKED;
  return create(DeviceSchema, { ...device, state, revokedAt: at, revokedBy: actor });
}

export function revokeToken(
  table: Table<typeof TokenSchema>,
  { id, version, value }: Row<Token>,
  { at, actor }: When,
): Ending {
  const revoked = create(TokenSchema, { ...value, revokedAt: at, revokedBy: actor });
  return {
    write: table.put(id, revoked, version),
    entry: tokenEntry('token.revoked', revoked, actor),
  };
}

export function closeSession(
  table: Tables['sessions'],
  row: Row<ConsoleSession>,
  actor: string,
): Ending {
  return { write: table.drop(row), entry: consoleEntry('console.closed', row.value, actor) };
}

/** One entry for all of them: they are one record. */
function dropPasskeys(table: Tables['passkeys'], row: Row<MemberPasskeys>, actor: string): Ending {
  const { userId, passkeys } = row.value;
  const names = passkeys.flatMap(({ passkey }) => passkey?.name ?? []);
  const note = { userId, about: names.join(', '), reason: 'its member was removed' };
  return { write: table.drop(row), entry: passkeyEntry('passkey.removed', note, actor) };
}

async function closeHeld(
  table: Tables['sessions'],
  holds: (userId: string) => boolean,
  actor: string,
): Promise<readonly Ending[]> {
  const held = (await table.all()).filter(({ value }) => holds(value.userId));
  return held.map((row) => closeSession(table, row, actor));
}
