import { create } from '@bufbuild/protobuf';
import { type Bytes, type Clock, type Ids, PalyraError } from '@palyra/kernel';
import { type ConsoleSession, ConsoleSessionSchema, DeviceState } from '@palyra/protocol';
import { type Caller, GATEWAY } from '../caller.ts';
import { type RecordsPort, retryOnConflict, type Row } from '@palyra/records';
import { changeOf, closeSession, type Ending, STEP } from '../registry/endings.ts';
import { consoleEntry } from '../registry/notes.ts';
import { hashOf, isSecret, makeSecret } from '../registry/secret.ts';
import { actingMember } from '../registry/standing.ts';
import type { Tables } from '../registry/tables.ts';

const LINK_MS = 60_000;
const SESSION_MS = 12 * 60 * 60_000;
/** An uncompressed point on P-256. */
const PUBLIC_KEY_BYTES = 65;
export const MAX_LINKS = 256;
export const MAX_SESSIONS = 256;
/** So that no member can use up what is there for all. */
export const MAX_SESSIONS_OF_ONE = 16;

export interface ConsoleParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Contract: a session whose time cannot be read has ended. */
export function isLive({ expiresAt }: ConsoleSession, now: Date): boolean {
  return Date.parse(expiresAt) > now.getTime();
}

/** Links that open the console once, and the sessions that come of them. */
export class ConsoleSessions {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** A device has one link at a time: a newer one takes the place of the older. */
  async createLink(caller: Caller): Promise<{ readonly secret: string; readonly expiresAt: Date }> {
    const { userId } = actingMember(caller);
    const { deviceId } = caller;
    if (deviceId === undefined) {
      throw new PalyraError('PERMISSION_DENIED', 'only a device can open the console');
    }
    const { records, tables, clock, ids } = this.#parts;
    return retryOnConflict(async () => {
      const now = clock.now();
      const ending = await this.#linksToEnd(deviceId, now);
      const secret = makeSecret();
      const expiresAt = new Date(now.getTime() + LINK_MS);
      const link = create(ConsoleSessionSchema, {
        sessionId: ids.next<'console-session'>(),
        userId,
        deviceId,
        expiresAt: expiresAt.toISOString(),
      });
      const { writes, entries } = changeOf(ending);
      await records.transact({
        writes: [...writes, tables.links.put(hashOf(secret), link, 0)],
        entries: [consoleEntry('console.linked', link, caller.actor), ...entries],
      });
      return { secret, expiresAt };
    });
  }

  /**
   * Contract: of two who open one link at once, one gets UNAUTHENTICATED. Whether the key is one is
   * for whoever verifies with it; only its length is looked at here.
   */
  async open(
    linkSecret: string,
    publicKey: Bytes,
  ): Promise<{ readonly secret: string; readonly session: ConsoleSession }> {
    if (!isSecret(linkSecret)) throw noLink();
    // Before the link is used up.
    if (publicKey.length !== PUBLIC_KEY_BYTES) throw noKey();
    const { records, tables } = this.#parts;
    return retryOnConflict(async () => {
      const link = await this.#liveLink(hashOf(linkSecret));
      const now = this.#parts.clock.now();
      const ending = await this.#sessionsToEnd(link.value.userId, now);
      const session = create(ConsoleSessionSchema, {
        ...link.value,
        publicKey,
        openedAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + SESSION_MS).toISOString(),
      });
      const secret = makeSecret();
      const { writes, entries } = changeOf(ending);
      await records.transact({
        writes: [
          ...writes,
          tables.links.drop(link),
          tables.sessions.put(hashOf(secret), session, 0),
        ],
        entries: [consoleEntry('console.opened', session, openerOf(session)), ...entries],
      });
      return { secret, session };
    });
  }

  /** Contract: closing one that has ended changes nothing. */
  async close({ sessionId }: ConsoleSession, caller: Caller): Promise<void> {
    const { userId } = actingMember(caller);
    const { records, tables } = this.#parts;
    await retryOnConflict(async () => {
      const row = (await tables.sessions.all()).find(({ value }) => value.sessionId === sessionId);
      if (row === undefined) return;
      if (row.value.userId !== userId) {
        throw new PalyraError('PERMISSION_DENIED', 'the session is that of somebody else');
      }
      await records.transact(changeOf([closeSession(tables.sessions, row, caller.actor)]));
    });
  }

  /** Drops links and sessions whose time or whose device has ended; a step at a time. */
  async sweep(): Promise<void> {
    const { records, tables } = this.#parts;
    await retryOnConflict(async () => {
      const ending = [
        ...closing(tables.links, await this.#over(tables.links)),
        ...closing(tables.sessions, await this.#over(tables.sessions)),
      ].slice(0, STEP);
      if (ending.length > 0) await records.transact(changeOf(ending));
    });
  }

  async #over(table: Tables['sessions']): Promise<readonly Row<ConsoleSession>[]> {
    const now = this.#parts.clock.now();
    const over: Row<ConsoleSession>[] = [];
    for (const row of await table.all()) {
      const stands = isLive(row.value, now) && (await this.#isActive(row.value.deviceId));
      if (!stands) over.push(row);
    }
    return over;
  }

  async #isActive(deviceId: string): Promise<boolean> {
    const device = await this.#parts.tables.devices.get(deviceId);
    return device?.value.state === DeviceState.ACTIVE;
  }

  async #liveLink(hash: string): Promise<Row<ConsoleSession>> {
    const { tables, clock } = this.#parts;
    const link = await tables.links.get(hash);
    if (link === undefined || !isLive(link.value, clock.now())) throw noLink();
    const device = (await tables.devices.get(link.value.deviceId))?.value;
    const member = await tables.members.get(link.value.userId);
    const stands = device?.state === DeviceState.ACTIVE && device.userId === member?.id;
    if (!stands) throw noLink();
    return link;
  }

  async #linksToEnd(deviceId: string, now: Date): Promise<readonly Ending[]> {
    const { links } = this.#parts.tables;
    const rows = await links.all();
    const own = rows.filter(({ value }) => value.deviceId === deviceId);
    const over = [...own, ...rows.filter((row) => !own.includes(row) && !isLive(row.value, now))];
    if (rows.length - over.length >= MAX_LINKS) throw full('links', MAX_LINKS);
    return closing(links, over).slice(0, STEP);
  }

  async #sessionsToEnd(userId: string, now: Date): Promise<readonly Ending[]> {
    const { sessions } = this.#parts.tables;
    const rows = await sessions.all();
    const own = rows
      .filter(({ value }) => value.userId === userId && isLive(value, now))
      .toSorted((a, b) => (a.value.sessionId < b.value.sessionId ? 1 : -1));
    const tooMuch = own.slice(MAX_SESSIONS_OF_ONE - 1);
    const over = [...tooMuch, ...rows.filter(({ value }) => !isLive(value, now))];
    if (rows.length - over.length >= MAX_SESSIONS) throw full('sessions', MAX_SESSIONS);
    return closing(sessions, over).slice(0, STEP);
  }
}

/** Who opens it has shown nothing but the secret of the link: the session is all that they act through. */
function openerOf({ userId, sessionId }: ConsoleSession): string {
  return `user:${userId} via console:${sessionId}`;
}

function closing(
  table: Tables['sessions'],
  rows: readonly Row<ConsoleSession>[],
): readonly Ending[] {
  return rows.map((row) => closeSession(table, row, GATEWAY));
}

function noLink(): PalyraError {
  return new PalyraError('UNAUTHENTICATED', 'the link is unknown, used or has ended', {
    help: 'open the console again with `palyra console`',
  });
}

function noKey(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'the key of the session is not a point on P-256');
}

function full(what: string, most: number): PalyraError {
  return new PalyraError('OVERLOADED', `there are ${most} console ${what} already`);
}
