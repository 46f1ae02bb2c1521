import { create } from '@bufbuild/protobuf';
import { type Clock, type Ids, PalyraError, permissionsOf, quote } from '@palyra/kernel';
import {
  type CreateTokenRequest,
  type Member,
  Role,
  type Token,
  TokenSchema,
} from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { type RecordsPort, type RecordWrite, retryOnConflict, type Row } from '@palyra/records';
import type { PeopleAction, PeopleRules } from '../people-rules.ts';
import { changeOf, revokeToken } from './endings.ts';
import { tokenEntry } from './notes.ts';
import { hashOf } from './secret.ts';
import { checkTokenLabel } from './shown-name.ts';
import { actingMember } from './standing.ts';
import type { Tables } from './tables.ts';
import { expiryOf, grantScopes, isInForce, rateOf } from './token-terms.ts';
import { makeTokenText } from './token-text.ts';

export const MAX_TOKENS = 1000;

export interface TokensParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly rules: PeopleRules;
}

export interface MintedToken {
  readonly token: Token;
  /** INVARIANT: leaves here once; only its hash is kept. */
  readonly secret: string;
}

/** `token` is an id, or a label that only one token has. */
export class Tokens {
  readonly #parts: TokensParts;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /** The oldest first. */
  async list(): Promise<readonly Token[]> {
    const tokens = (await this.#table.all()).map(({ value }) => value);
    return tokens.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  }

  async create(request: CreateTokenRequest, caller: Caller): Promise<MintedToken> {
    checkTokenLabel(request.label);
    return retryOnConflict(async () => {
      const member = await this.#minter(caller);
      const room = await this.#room();
      const token = this.#tokenFor(request, member, caller);
      const secret = makeTokenText();
      await this.#parts.records.transact({
        writes: [...room, this.#table.put(hashOf(secret), token, 0)],
        entries: [tokenEntry('token.created', token, caller.actor)],
      });
      return { token, secret };
    });
  }

  /** Contract: only its own member's doing, since whoever learns the secret acts for them. */
  async rotate(token: string, caller: Caller): Promise<MintedToken> {
    await this.#minter(caller);
    const { id: rotating } = await this.#find(token);
    return retryOnConflict(async () => {
      const row = await this.#table.get(rotating);
      if (row === undefined) throw gone(token);
      await this.#demand('people.rotate', row.value, caller);
      if (!isInForce(row.value, this.#parts.clock.now())) throw ended(token);
      const secret = makeTokenText();
      // Whoever saw the former secret has nothing any more: now it comes of this caller's device.
      const rotated = create(TokenSchema, { ...row.value, madeThrough: throughOf(caller) });
      await this.#parts.records.transact({
        writes: [this.#table.drop(row), this.#table.put(hashOf(secret), rotated, 0)],
        entries: [tokenEntry('token.rotated', rotated, caller.actor)],
      });
      return { token: rotated, secret };
    });
  }

  /** Contract: revoking a revoked one changes nothing. */
  async revoke(token: string, caller: Caller): Promise<Token> {
    return retryOnConflict(async () => {
      const row = await this.#find(token);
      await this.#demand('people.revoke', row.value, caller);
      if (row.value.revokedAt !== '') return row.value;
      const when = { at: this.#parts.clock.now().toISOString(), actor: caller.actor };
      await this.#parts.records.transact(changeOf([revokeToken(this.#table, row, when)]));
      return create(TokenSchema, { ...row.value, revokedAt: when.at, revokedBy: when.actor });
    });
  }

  get #table(): Tables['tokens'] {
    return this.#parts.tables.tokens;
  }

  /** What a removed member left is anybody's to clear away, and nobody's to use. */
  async #demand(action: PeopleAction, { userId }: Token, caller: Caller): Promise<void> {
    const owner = (await this.#parts.tables.members.get(userId))?.value;
    if (owner === undefined && action === 'people.revoke') return;
    const member = { userId, role: owner?.role ?? Role.UNSPECIFIED };
    await this.#parts.rules.touch(caller, { action, member });
  }

  /** The member as they are now, not as they were when the request came in. */
  async #minter(caller: Caller): Promise<Member> {
    const { userId } = actingMember(caller);
    const member = (await this.#parts.tables.members.get(userId))?.value;
    if (member !== undefined) return member;
    throw new PalyraError('PERMISSION_DENIED', `${quote(caller.principal)} is no member any more`);
  }

  #tokenFor(request: CreateTokenRequest, member: Member, caller: Caller): Token {
    const now = this.#parts.clock.now();
    const held = caller.permissions.intersection(permissionsOf(member.role));
    return create(TokenSchema, {
      tokenId: this.#parts.ids.next<'token'>(),
      label: request.label,
      scopes: [...grantScopes(request.scopes, held)],
      userId: member.userId,
      createdAt: now.toISOString(),
      createdBy: caller.actor,
      madeThrough: throughOf(caller),
      expiresAt: expiryOf(request, now).toISOString(),
      rate: rateOf(request),
    });
  }

  /** Once full, a token that has ended makes room; the journal keeps that it was. */
  async #room(): Promise<readonly RecordWrite[]> {
    if ((await this.#table.count()) < MAX_TOKENS) return [];
    const now = this.#parts.clock.now();
    const endedRow = (await this.#table.all()).find(({ value }) => !isInForce(value, now));
    if (endedRow !== undefined) return [this.#table.drop(endedRow)];
    throw new PalyraError('OVERLOADED', `the gateway keeps at most ${MAX_TOKENS} tokens`, {
      help: 'revoke those that are no longer used with `palyra tokens revoke`',
    });
  }

  async #find(token: string): Promise<Row<Token>> {
    const rows = await this.#table.all();
    const byId = rows.find(({ value }) => value.tokenId === token);
    if (byId !== undefined) return byId;
    const labelled = rows.filter(({ value }) => value.label === token);
    const [row, another] = labelled;
    if (row !== undefined && another === undefined) return row;
    throw row === undefined ? unknown(token) : ambiguous(token, labelled.length);
  }
}

function throughOf({ through = [] }: Caller): string[] {
  return [...through];
}

function unknown(token: string): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no token ${quote(token)}`, {
    help: 'list them with `palyra tokens list`',
  });
}

function ambiguous(token: string, count: number): PalyraError {
  return new PalyraError('INVALID_INPUT', `${count} tokens are labelled ${quote(token)}`, {
    help: 'name it by its id, which `palyra tokens list` shows',
  });
}

/** Not tried again: a second rotation would void the secret that the first has just shown. */
function gone(token: string): PalyraError {
  return new PalyraError('NOT_FOUND', `${quote(token)} was rotated by somebody else just now`);
}

function ended(token: string): PalyraError {
  return new PalyraError('INVALID_INPUT', `${quote(token)} has ended and cannot be rotated`, {
    help: 'create a new one with `palyra tokens create`',
  });
}
