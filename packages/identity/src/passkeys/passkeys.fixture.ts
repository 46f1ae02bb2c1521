import { create } from '@bufbuild/protobuf';
import { type AnswerToConfirm, createPasskeys, type Passkeys } from './passkeys.ts';
import {
  ConsoleSessionSchema,
  FinishPasskeyRequestSchema,
  type Passkey,
  RemovePasskeyRequestSchema,
  Role,
} from '@palyra/protocol';
import { type QuietLog, type Saying, SoftwareAuthenticator, quietLog } from '@palyra/testkit';
import type { Caller } from '../caller.ts';
import { callerWith, openRegistry, ownerOf, type Registry } from '../registry/registry.fixture.ts';
import type { ConsoleVisit } from './visit.ts';

export const ORIGIN = 'http://localhost:7142';

/** A registry with its owner in the console, and passkeys on it. */
export interface House {
  readonly registry: ReturnType<typeof openRegistry>;
  readonly passkeys: Passkeys;
  readonly owner: Caller;
  readonly log: QuietLog;
  readonly visit: ConsoleVisit;
}

export async function openHouse(): Promise<House> {
  const registry = openRegistry();
  const log = quietLog();
  const passkeys = createPasskeys({ ...registry, log });
  const owner = await ownerOf(registry);
  return { registry, passkeys, owner, log, visit: visitOf(registry, owner) };
}

/** Somebody whose console was opened just now. */
export function visitOf({ clock, ids }: Registry, caller: Caller, origin = ORIGIN): ConsoleVisit {
  const session = create(ConsoleSessionSchema, {
    sessionId: ids.next<'console-session'>(),
    userId: caller.member?.userId ?? '',
    openedAt: clock.now().toISOString(),
  });
  return { caller, session, origin };
}

export async function otherMember({ registry }: House): Promise<ConsoleVisit> {
  return visitOf(registry, await callerWith(registry, Role.ADMIN, 'bob'));
}

export interface MadePasskey {
  readonly authenticator: SoftwareAuthenticator;
  readonly passkey: Passkey;
}

/** The first of a member. */
export async function makeFirst(
  { passkeys }: House,
  visit: ConsoleVisit,
  saying: Saying = {},
): Promise<MadePasskey> {
  const authenticator = new SoftwareAuthenticator(visit.origin);
  const { options } = await passkeys.begin(visit);
  const credential = authenticator.create(options, saying);
  return { authenticator, passkey: await passkeys.finish(finishing({ credential }), visit) };
}

/** Another one, for which an earlier one vouches. */
export async function makeFurther(
  { passkeys, visit }: House,
  earlier: SoftwareAuthenticator,
  name: string,
): Promise<MadePasskey> {
  const authenticator = new SoftwareAuthenticator(visit.origin);
  const { options } = await passkeys.begin(visit);
  const request = finishing({ name, credential: authenticator.create(options) });
  const assertion = earlier.get((await passkeys.beginAddition(request, visit)).options);
  const passkey = await passkeys.finish(finishing({ ...request, assertion }), visit);
  return { authenticator, passkey };
}

export function finishing({ name = 'laptop', credential = '', assertion = '' }) {
  return create(FinishPasskeyRequestSchema, { name, credential, assertion });
}

export function removing(passkey: string, assertion = '') {
  return create(RemovePasskeyRequestSchema, { passkey, assertion });
}

/** What a yes says; each test changes what it is about. */
export const YES: AnswerToConfirm = {
  about: '01JAPPROVAL',
  terms: {
    fingerprint: 'f',
    answer: 'granted',
    reason: '',
    scope: 1,
    shape: '',
    uses: 0,
    until: '',
  },
};
