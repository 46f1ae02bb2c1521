import {
  AuthoritySchema,
  AuthorityState,
  type Authority,
  type Device,
  DeviceSchema,
} from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { consents } from '../../consent.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printAuthorities, printNotMoved } from '../../render/identity.ts';
import { wireJson } from '../../wire-json.ts';

const QUESTION =
  'make a new authority? devices move over when they next renew, until the old one ends';

/** Starts a rotation, or tells how the one that is under way goes. */
export async function run(invocation: Invocation): Promise<Exit> {
  const { identity } = daemonOf(invocation.shell);
  const before = await identity.getAuthorities({});
  if (before.authorities.some(({ state }) => state === AuthorityState.RETIRING)) {
    return show(invocation, { ...before, started: false });
  }
  if (!(await consents(invocation, QUESTION))) return 'ok';
  await identity.rotateAuthority({});
  return show(invocation, { ...(await identity.getAuthorities({})), started: true });
}

interface Rotation {
  readonly authorities: readonly Authority[];
  readonly notMoved: readonly Device[];
  readonly started: boolean;
}

function show(invocation: Invocation, { authorities, notMoved, started }: Rotation): Exit {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('rotation', {
      started,
      authorities: authorities.map((one) => wireJson(AuthoritySchema, one)),
      notMoved: notMoved.map((one) => wireJson(DeviceSchema, one)),
    });
    return 'ok';
  }
  terminal.print(started ? 'the rotation has begun\n' : 'a rotation is under way\n');
  printAuthorities(terminal, authorities);
  printNotMoved(terminal, notMoved);
  return 'ok';
}
