import { create } from '@bufbuild/protobuf';
import { isForPeopleOnly, PalyraError, permissionsOf, permissionWord } from '@palyra/kernel';
import {
  type CreateTokenRequest,
  type Member,
  type Permission,
  type Token,
  type TokenRate,
  TokenRateSchema,
} from '@palyra/protocol';

const DAY_SECONDS = 86_400;
const DEFAULT_LIFETIME_SECONDS = 90 * DAY_SECONDS;
const MAX_LIFETIME_SECONDS = 365 * DAY_SECONDS;
const DEFAULT_RATE = { perMinute: 600, burst: 60 } as const;
const MAX_PER_MINUTE = 60_000;
const MAX_BURST = 10_000;

/** What a token of this member can do now, whatever its scopes once were. */
export function effectivePermissions(
  { scopes }: Pick<Token, 'scopes'>,
  { role }: Pick<Member, 'role'>,
): ReadonlySet<Permission> {
  const held = permissionsOf(role);
  return new Set(scopes.filter((scope) => held.has(scope) && !isForPeopleOnly(scope)));
}

/**
 * The scopes that were asked for, each once.
 * Contract: throws PERMISSION_DENIED for one that the minter lacks or that only people may have.
 */
export function grantScopes(
  asked: readonly Permission[],
  held: ReadonlySet<Permission>,
): readonly Permission[] {
  const scopes = [...new Set(asked)];
  if (scopes.length === 0) throw new PalyraError('INVALID_INPUT', 'a token needs a scope');
  const refused = scopes.find((scope) => !held.has(scope) || isForPeopleOnly(scope));
  if (refused === undefined) return scopes.toSorted((a, b) => a - b);
  const word = permissionWord(refused);
  throw new PalyraError(
    'PERMISSION_DENIED',
    isForPeopleOnly(refused)
      ? `\`${word}\` is for people; no token can have it`
      : `you cannot give a token \`${word}\`, which you lack`,
  );
}

export function expiryOf({ lifetimeSeconds }: CreateTokenRequest, now: Date): Date {
  if (lifetimeSeconds > BigInt(MAX_LIFETIME_SECONDS)) {
    throw new PalyraError('INVALID_INPUT', 'a token lives for at most 365 days');
  }
  const seconds = lifetimeSeconds === 0n ? DEFAULT_LIFETIME_SECONDS : Number(lifetimeSeconds);
  return new Date(now.getTime() + seconds * 1000);
}

export function rateOf({ rate }: CreateTokenRequest): TokenRate {
  if (rate === undefined) return create(TokenRateSchema, DEFAULT_RATE);
  const { perMinute, burst } = rate;
  if (isWithin(perMinute, MAX_PER_MINUTE) && isWithin(burst, MAX_BURST)) return rate;
  throw new PalyraError(
    'INVALID_INPUT',
    `a token has 1 to ${MAX_PER_MINUTE} requests a minute and a burst of 1 to ${MAX_BURST}`,
  );
}

/** Whether it is neither revoked nor past its time. */
export function isInForce({ revokedAt, expiresAt }: Token, now: Date): boolean {
  return revokedAt === '' && !isPast(expiresAt, now);
}

/** Contract: what is no time is past. */
function isPast(time: string, now: Date): boolean {
  return time !== '' && !(Date.parse(time) > now.getTime());
}

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most;
}
