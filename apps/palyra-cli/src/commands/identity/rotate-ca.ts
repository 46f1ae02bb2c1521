import { plural } from '@palyra/client';
import { PalyraError, quote } from '@palyra/kernel';
import {
  type Authority,
  AuthoritySchema,
  AuthorityState,
  type Device,
  DeviceSchema,
} from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { consents } from '../../consent.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { type People, peopleOf } from '../../people.ts';
import { printAuthorities, printNotMoved, printShutOut } from '../../render/identity.ts';
import { wireJson } from '../../wire-json.ts';

const START =
  'make a new authority? devices move over when they next renew, until the old one ends';

/** Starts a rotation, tells how the one that is under way goes, or ends it before its time. */
export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const { identity } = client;
  const people = await peopleOf(invocation, client);
  const before = await identity.getAuthorities({});
  const isActive = before.authorities.some(({ state }) => state === AuthorityState.RETIRING);
  if (invocation.flags.has('end-retiring')) {
    if (!(await consents(invocation, endQuestion(before.notMoved.length)))) return 'ok';
    // Asking again could fail: this very device may be one that has not moved.
    const { active, notMoved } = await identity.rotateAuthority({ endRetiring: true });
    const authorities = active === undefined ? [] : [active];
    return show(invocation, { authorities, notMoved, at: 'ended' }, people);
  }
  if (isActive && invocation.flags.has('yes')) throw alreadyActive(before.notMoved);
  if (isActive) return show(invocation, { ...before, at: 'under-way' }, people);
  if (!(await consents(invocation, START))) return 'ok';
  await identity.rotateAuthority({});
  return show(invocation, { ...(await identity.getAuthorities({})), at: 'begun' }, people);
}

function endQuestion(notMoved: number): string {
  const lost =
    notMoved === 0 ? 'every device has moved' : `${plural(notMoved, 'device')} not moved`;
  return `end the old authority now? ${lost}; who has not moved must pair again`;
}

/** A message is one line; the rest is in `palyra identity rotate-ca`. */
const MAX_NAMED = 5;

/** Contract: whoever said yes to a new authority and gets none is told so, and by whom it waits. */
export function alreadyActive(notMoved: readonly Device[]): PalyraError {
  const named = notMoved.slice(0, MAX_NAMED).map(({ name }) => quote(name));
  const more = notMoved.length - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const waits =
    notMoved.length === 0
      ? 'every device has moved'
      : `${plural(notMoved.length, 'device')} not moved: ${names}`;
  return new PalyraError('ROTATION_ACTIVE', `a rotation is under way; ${waits}`, {
    help: 'wait until the old authority ends, or end it now with `--end-retiring`',
  });
}

interface Rotation {
  readonly authorities: readonly Authority[];
  readonly notMoved: readonly Device[];
  readonly at: keyof typeof WORDS;
}

const WORDS = {
  begun: 'the rotation has begun',
  'under-way': 'a rotation is under way',
  ended: 'the old authority has ended',
} as const;

function show(
  invocation: Invocation,
  { authorities, notMoved, at }: Rotation,
  people: People,
): Exit {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('rotation', {
      started: at === 'begun',
      ended: at === 'ended',
      authorities: authorities.map((one) => wireJson(AuthoritySchema, one)),
      notMoved: notMoved.map((one) => wireJson(DeviceSchema, one)),
    });
    return 'ok';
  }
  terminal.print(`${WORDS[at]}\n`);
  printAuthorities(terminal, authorities);
  if (at === 'ended') printShutOut(terminal, notMoved, people);
  else printNotMoved(terminal, notMoved, people);
  return 'ok';
}
