import { isForPeopleOnly, parsePermission, PERMISSIONS, permissionWord } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import { type Invocation, count } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSecret } from '../../one-token.ts';
import { peopleOf } from '../../people.ts';
import { UsageError } from '../../usage-error.ts';

const DAY_SECONDS = 86_400;

export async function run(invocation: Invocation): Promise<Exit> {
  const label = invocation.text.get('label') ?? '';
  if (label === '')
    throw new UsageError('a token needs a label', 'say what it is for: `--label ci`');
  const scopes = scopesOf(invocation.texts.get('scope') ?? []);
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const created = await client.tokens.createToken({
    label,
    scopes,
    lifetimeSeconds: BigInt(count(invocation, 'days') * DAY_SECONDS),
    rate: rateOf(count(invocation, 'rate'), count(invocation, 'burst')),
  });
  return showSecret(invocation, created, people);
}

/** Contract: without a burst of its own, a tenth of what a minute allows may come at once. */
export function rateOf(perMinute: number, burst: number): { perMinute: number; burst: number } {
  return { perMinute, burst: burst === 0 ? Math.ceil(perMinute / 10) : burst };
}

/** Contract: at least one, and every word is a permission that a token can have. */
export function scopesOf(words: readonly string[]): Permission[] {
  const scopes = words.flatMap((word) => word.split(',')).map(scopeOf);
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new UsageError('a token needs at least one scope', `give \`--scope\`: ${KNOWN}`);
}

const KNOWN = [...PERMISSIONS.keys()]
  .filter((permission) => !isForPeopleOnly(permission))
  .map(permissionWord)
  .join(', ');

function scopeOf(word: string): Permission {
  const permission = parsePermission(word);
  if (permission === undefined)
    throw new UsageError(`\`${word}\` is no permission`, `one of ${KNOWN}`);
  if (!isForPeopleOnly(permission)) return permission;
  throw new UsageError(`\`${word}\` is for people only, no token can have it`, `one of ${KNOWN}`);
}
