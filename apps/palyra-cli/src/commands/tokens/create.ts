import { isForPeopleOnly, parsePermission, PERMISSIONS, permissionWord } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import { type Invocation, count } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSecret } from '../../one-token.ts';
import { UsageError } from '../../usage-error.ts';

const DAY_SECONDS = 86_400;

export async function run(invocation: Invocation): Promise<Exit> {
  const label = invocation.text.get('label') ?? '';
  if (label === '')
    throw new UsageError('a token needs a label', 'say what it is for: `--label ci`');
  const perMinute = count(invocation, 'rate');
  const created = await daemonOf(invocation.shell).tokens.createToken({
    label,
    scopes: scopesOf(invocation.texts.get('scope') ?? []),
    lifetimeSeconds: BigInt(count(invocation, 'days') * DAY_SECONDS),
    rate: { perMinute, burst: Math.ceil(perMinute / 10) },
  });
  return showSecret(invocation, created);
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
