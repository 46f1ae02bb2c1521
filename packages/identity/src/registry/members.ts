import { create } from '@bufbuild/protobuf';
import { type Clock, type EntryDraft, type Ids, PalyraError, parseId, quote } from '@palyra/kernel';
import { type Member, MemberSchema, Role } from '@palyra/protocol';
import { type Caller, GATEWAY } from '../caller.ts';
import { type RecordsPort, type RecordWrite, retryOnConflict, type Row } from '@palyra/records';
import type { PeopleRules } from '../people-rules.ts';
import { exportAccess } from './access-export.ts';
import { changeOf, type Endings } from './endings.ts';
import { memberEntry } from './notes.ts';
import { checkMemberName } from './shown-name.ts';
import { actingMember, checkRole, lesserRole } from './standing.ts';
import type { Tables } from './tables.ts';

export const MAX_MEMBERS = 1000;
export const WORKSPACE = 'main';

/**
 * Written with every change of a member, so that changes come one after the other: what was decided
 * about names, owners and standing still holds when it is written, or the write conflicts.
 */
const GUARD = { table: 'registry', id: 'members' } as const;

export interface MembersParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly endings: Endings;
  readonly rules: PeopleRules;
}

interface Decision {
  readonly member: Member;
  readonly writes: readonly RecordWrite[];
  readonly entries: readonly EntryDraft[];
}

type Rows = readonly Row<Member>[];

/** The people of the workspace. */
export class Members {
  readonly #parts: MembersParts;

  constructor(parts: MembersParts) {
    this.#parts = parts;
  }

  /** The earliest first. */
  async list(): Promise<readonly Member[]> {
    return (await this.#table.all()).map(({ value }) => value);
  }

  async get(userId: string): Promise<Member | undefined> {
    return (await this.#table.get(userId))?.value;
  }

  /** Contract: NOT_FOUND unless it is the id or the name of a member. */
  async find(member: string): Promise<Member> {
    const id = parseId<'user'>(member);
    const byId = id === undefined ? undefined : await this.get(id);
    if (byId !== undefined) return byId;
    return rowOf(await this.#table.all(), member).value;
  }

  /** For whom a program of the gateway's own user on its own machine acts. */
  async earliestOwner(): Promise<Member> {
    const owner = (await this.list()).find(({ role }) => role === Role.OWNER);
    if (owner === undefined) throw new PalyraError('NOT_FOUND', 'the workspace has no owner');
    return owner;
  }

  /** Contract: does nothing once there is a member, also when two daemons start at once. */
  async addFirstOwner(name: string): Promise<void> {
    await this.#change((rows) => {
      const [first] = rows;
      if (first !== undefined) return unchanged(first);
      return this.#adding({ name, role: Role.OWNER, addedBy: GATEWAY });
    });
  }

  async add(name: string, role: Role, caller: Caller): Promise<Member> {
    checkRole(role);
    checkMemberName(name);
    return this.#change(async (rows) => {
      await this.#demand(rows, caller, { userId: '', role });
      if (rows.some(({ value }) => value.name === name)) {
        throw new PalyraError('INVALID_INPUT', `there is a member ${quote(name)} already`);
      }
      if (rows.length >= MAX_MEMBERS) {
        throw new PalyraError('OVERLOADED', `a workspace has at most ${MAX_MEMBERS} members`);
      }
      return this.#adding({ name, role, addedBy: caller.actor });
    });
  }

  async changeRole(member: string, role: Role, caller: Caller): Promise<Member> {
    checkRole(role);
    return this.#change(async (rows) => {
      const row = rowOf(rows, member);
      await this.#demand(rows, caller, row.value);
      await this.#demand(rows, caller, { ...row.value, role });
      if (row.value.role === role) return unchanged(row);
      if (role !== Role.OWNER) demandOwnerBeside(rows, row);
      const changed = create(MemberSchema, { ...row.value, role });
      return {
        member: changed,
        writes: [this.#table.put(row.id, changed, row.version)],
        entries: [memberEntry('member.changed', changed, caller.actor)],
      };
    });
  }

  /**
   * The member goes first, in one change with as much of what they hold as fits: every right is
   * looked up through the member, so from then on none is left. What a crash leaves of the rest is
   * dead already, and the next sweep clears it away.
   */
  async remove(member: string, caller: Caller): Promise<Member> {
    const removed = await this.#change(async (rows) => {
      const row = rowOf(rows, member);
      await this.#demand(rows, caller, row.value);
      demandOwnerBeside(rows, row);
      const held = changeOf(await this.#parts.endings.of((id) => id === row.id, caller.actor));
      return {
        member: row.value,
        writes: [this.#table.drop(row), ...held.writes],
        entries: [memberEntry('member.removed', row.value, caller.actor), ...held.entries],
      };
    });
    await this.#parts.endings.endAll((id) => id === removed.userId, caller.actor);
    return removed;
  }

  /** Members, devices and tokens as one JSON document; no secret is in it. */
  export(): Promise<string> {
    return exportAccess(this.#parts.tables);
  }

  get #table(): Tables['members'] {
    return this.#parts.tables.members;
  }

  #change(decide: (rows: Rows) => Decision | Promise<Decision>): Promise<Member> {
    const { records } = this.#parts;
    return retryOnConflict(async () => {
      // The guard before the members: whoever changes one after this look makes the write conflict.
      const guard = await records.get(GUARD.table, GUARD.id);
      const { member, writes, entries } = await decide(await this.#table.all());
      if (writes.length === 0) return member;
      const body = { changed: member.userId };
      const turn = { ...GUARD, expectedVersion: guard?.version ?? 0, body };
      await records.transact({ writes: [turn, ...writes], entries });
      return member;
    });
  }

  /**
   * By the caller's role as it is now, since their request may have waited while it was taken away; and
   * by that which the device allows through which they act.
   */
  async #demand(
    rows: Rows,
    caller: Caller,
    { userId, role }: Pick<Member, 'userId' | 'role'>,
  ): Promise<void> {
    const acting = actingMember(caller);
    const present = rows.find(({ id }) => id === acting.userId)?.value.role ?? Role.UNSPECIFIED;
    const own = { ...acting, role: lesserRole(present, acting.role) };
    const member = { userId, role };
    await this.#parts.rules.touch({ ...caller, member: own }, { action: 'people.change', member });
  }

  #adding(added: Pick<Member, 'name' | 'role' | 'addedBy'>): Decision {
    const { clock, ids } = this.#parts;
    const userId = ids.next<'user'>();
    const addedAt = clock.now().toISOString();
    const member = create(MemberSchema, { ...added, userId, addedAt, workspaceId: WORKSPACE });
    return {
      member,
      writes: [this.#table.put(userId, member, 0)],
      entries: [memberEntry('member.added', member, added.addedBy)],
    };
  }
}

function unchanged({ value }: Row<Member>): Decision {
  return { member: value, writes: [], entries: [] };
}

function rowOf(rows: Rows, member: string): Row<Member> {
  const row =
    rows.find(({ id }) => id === member) ?? rows.find(({ value }) => value.name === member);
  if (row !== undefined) return row;
  throw new PalyraError('NOT_FOUND', `there is no member ${quote(member)}`, {
    help: 'list them with `palyra access members list`',
  });
}

function demandOwnerBeside(rows: Rows, leaving: Row<Member>): void {
  const isOwner = ({ value }: Row<Member>) => value.role === Role.OWNER;
  if (!isOwner(leaving) || rows.some((row) => row.id !== leaving.id && isOwner(row))) return;
  throw new PalyraError('LAST_OWNER', `${quote(leaving.value.name)} is the last owner`);
}
