import type { IdentityPort, PasskeysPort, Standing } from '@palyra/gateway';
import { PrincipalKind, Role } from '@palyra/protocol';

/**
 * Made when it is first asked: making an authority takes a moment and leaves entries in the journal,
 * and most tests are about something else. Contract: revision 0 until then.
 */
export function lazyIdentity(make: () => Promise<IdentityPort>): IdentityPort {
  let made: IdentityPort | undefined;
  let making: Promise<IdentityPort> | undefined;
  const get = async () => {
    making ??= make();
    made = await making;
    return made;
  };
  const desk = async () => {
    const { console: found } = await get();
    return found;
  };
  return {
    ...lazyRegistry(get),
    access: {
      byCertificate: async (certificate) => (await get()).access.byCertificate(certificate),
      byToken: async (text) => (await get()).access.byToken(text),
      stillToken: async (text) => (await get()).access.stillToken(text),
      bySession: async (secret) => (await get()).access.bySession(secret),
      // Whoever asks whose rights a run has is not asking who anybody is; see `ownerCaller`.
      standing: async (principal, deviceId) =>
        made?.access.standing(principal, deviceId) ?? ownersStanding(principal),
    },
    pairing: {
      start: async (member, caller) => (await get()).pairing.start(member, caller),
      list: async () => (await get()).pairing.list(),
      async *watch(pairingId, signal) {
        yield* (await get()).pairing.watch(pairingId, signal);
      },
      answer: async (answer, caller) => (await get()).pairing.answer(answer, caller),
      begin: async (request, stranger) => (await get()).pairing.begin(request, stranger),
      async *finish(request, stranger, signal) {
        yield* (await get()).pairing.finish(request, stranger, signal);
      },
    },
    console: {
      createLink: async (caller) => (await desk()).createLink(caller),
      open: async (secret, publicKey) => (await desk()).open(secret, publicKey),
      close: async (session, caller) => (await desk()).close(session, caller),
    },
    revision: () => made?.revision() ?? 0,
  };
}

function lazyRegistry(
  get: () => Promise<IdentityPort>,
): Pick<IdentityPort, 'devices' | 'tokens' | 'members' | 'authorities' | 'passkeys'> {
  return {
    devices: {
      list: async () => (await get()).devices.list(),
      get: async (device) => (await get()).devices.get(device),
      rename: async (device, name, caller) => (await get()).devices.rename(device, name, caller),
      revoke: async (device, caller) => (await get()).devices.revoke(device, caller),
      remove: async (device, caller) => (await get()).devices.remove(device, caller),
      made: async (deviceId) => (await get()).devices.made(deviceId),
      revokeMade: async (deviceId, caller) => (await get()).devices.revokeMade(deviceId, caller),
      renew: async (request, caller) => (await get()).devices.renew(request, caller),
    },
    tokens: {
      create: async (request, caller) => (await get()).tokens.create(request, caller),
      list: async () => (await get()).tokens.list(),
      rotate: async (token, caller) => (await get()).tokens.rotate(token, caller),
      revoke: async (token, caller) => (await get()).tokens.revoke(token, caller),
    },
    members: {
      list: async () => (await get()).members.list(),
      add: async (name, role, caller) => (await get()).members.add(name, role, caller),
      changeRole: async (member, role, caller) =>
        (await get()).members.changeRole(member, role, caller),
      remove: async (member, caller) => (await get()).members.remove(member, caller),
      export: async () => (await get()).members.export(),
    },
    passkeys: lazyPasskeys(async () => (await get()).passkeys),
    authorities: {
      list: async () => (await get()).authorities.list(),
      notMoved: async () => (await get()).authorities.notMoved(),
      rotate: async (caller) => (await get()).authorities.rotate(caller),
      endRetiring: async (caller) => (await get()).authorities.endRetiring(caller),
      serverCredentials: async () => (await get()).authorities.serverCredentials(),
    },
  };
}

function lazyPasskeys(get: () => Promise<PasskeysPort>): PasskeysPort {
  return {
    list: async (caller) => (await get()).list(caller),
    begin: async (visit) => (await get()).begin(visit),
    finish: async (request, visit) => (await get()).finish(request, visit),
    rename: async (passkey, name, caller) => (await get()).rename(passkey, name, caller),
    removeConfirmed: async (request, visit) => (await get()).removeConfirmed(request, visit),
    removeLocally: async (passkey, caller) => (await get()).removeLocally(passkey, caller),
    beginAddition: async (request, visit) => (await get()).beginAddition(request, visit),
    beginRemoval: async (request, visit) => (await get()).beginRemoval(request, visit),
    beginAnswer: async (answer, visit) => (await get()).beginAnswer(answer, visit),
    confirmAnswer: async (answer, visit) => (await get()).confirmAnswer(answer, visit),
    beginRequest: async (request, visit) => (await get()).beginRequest(request, visit),
    confirmRequest: async (request, visit) => (await get()).confirmRequest(request, visit),
  };
}

function ownersStanding(principal: string): Standing {
  const kind = PrincipalKind.USER;
  return { principal, kind, member: principal, name: 'owner', role: Role.OWNER, scopes: [] };
}
