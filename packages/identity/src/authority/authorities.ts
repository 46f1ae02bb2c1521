import type { Bytes, Log } from '@palyra/kernel';
import type { Authority, Device } from '@palyra/protocol';
import {
  type Actor,
  type AuthorityStore,
  openAuthorityStore,
  type StoreParts,
} from './authority-store.ts';
import { derOf } from './certificate.ts';
import {
  type CertificateRequest,
  deviceIdOf,
  type DeviceOrder,
  type IssuedDevice,
  issueDevice,
  readRequest,
} from './issue.ts';
import { inOrder, isAccepted, notMoved } from './rotation.ts';
import { leftOut, type ServerCredential, serverCredential } from './server-certificate.ts';

export type { CertificateRequest, DeviceOrder, IssuedDevice } from './issue.ts';
export type { ServerCredential } from './server-certificate.ts';

export interface AuthorityParts extends StoreParts {
  readonly log: Log;
}

/** The certificate authorities of this gateway, and what they sign. */
export interface Authorities {
  /** The active one first, then what is retiring, then the past. */
  list(): Promise<readonly Authority[]>;
  /** Contract: ROTATION_ACTIVE while an earlier one has not ended. In the order of `list`. */
  rotate(caller: Actor): Promise<readonly Authority[]>;
  /** Ends the retiring one at once. Contract: NOT_FOUND when there is none. In the order of `list`. */
  endRetiring(caller: Actor): Promise<readonly Authority[]>;
  /** One of each accepted authority, the active one first; renewed as it is asked for. */
  serverCredentials(): Promise<readonly ServerCredential[]>;
  /** Of these devices, those that lose access when the old authority ends unless they renew. */
  notMoved(devices: readonly Device[]): readonly Device[];
  /** What a device is to trust, as DER, the active one first. */
  accepted(): Promise<readonly Bytes[]>;
  /** False for one that is unknown, or has ended though nobody has noted it yet. */
  isAccepted(authorityId: string): boolean;
  /** Contract: INVALID_INPUT for anything but a request that proves a P-256 key. */
  readRequest(der: Uint8Array): Promise<CertificateRequest>;
  /** Signs and stores nothing. */
  issueDevice(order: DeviceOrder): Promise<IssuedDevice>;
  deviceIdOf(subjectAltName: string): string | undefined;
  /** Ends what is due. May be called at any time; the other calls do it, too. */
  tick(): Promise<void>;
  /** Configured names that no client can check yet, with the way out. */
  warnings(): readonly string[];
  /** Rises with every change of one. */
  revision(): number;
}

/**
 * Makes the first authority, or loads those that there are: then nothing is loaded that makes
 * certificates. Contract: rejects with AUTHORITY_UNUSABLE or HOME_UNSAFE.
 */
export async function createAuthorities(parts: AuthorityParts): Promise<Authorities> {
  const store = await openAuthorityStore(parts);
  const { clock, settings, log } = parts;
  const warnings = () => leftOut(store.active, settings).map(warningOf);
  for (const warning of warnings()) log.warn('a name is not covered', { warning });
  const credentials = serverCredentialsOf(store, parts);

  return {
    revision: () => store.revision,
    list: async () => {
      await store.settle();
      return inOrder(store.all);
    },
    rotate: async (caller) => {
      await store.rotate(caller);
      log.info('authority replaced', { authorityId: store.active.authorityId });
      return inOrder(store.all);
    },
    endRetiring: async (caller) => {
      await store.endRetiring(caller);
      log.info('authority ended early', { active: store.active.authorityId });
      return inOrder(store.all);
    },
    serverCredentials: credentials,
    notMoved: (devices) => notMoved(devices, store.active.authorityId),
    accepted: async () => {
      await store.settle();
      return store.live.map(({ certificate }) => derOf(certificate));
    },
    isAccepted: (authorityId) => {
      const row = store.live.find((live) => live.authorityId === authorityId)?.row;
      return row !== undefined && isAccepted(row.value, clock.now());
    },
    readRequest,
    issueDevice: (order) => issueDevice(order, store.active, clock.now()),
    deviceIdOf,
    tick: () => store.settle(),
    warnings,
  };
}

/** One after the other, so that two who ask at once do not both make a certificate. */
function serverCredentialsOf(store: AuthorityStore, { clock, settings, log }: AuthorityParts) {
  const parts = { keyring: store.keyring, settings, log };
  let turn: Promise<unknown> = Promise.resolve();
  const all = async () => {
    await store.settle();
    const now = clock.now();
    const credentials: ServerCredential[] = [];
    for (const authority of store.live) {
      credentials.push(await serverCredential(authority, parts, now));
    }
    return credentials;
  };
  return () => {
    const result = turn.then(all);
    turn = result.catch(() => undefined);
    return result;
  };
}

function warningOf(name: string): string {
  return `no certificate bears \`${name}\`: the authority was made without it; \`palyra identity rotate-ca\` makes one that covers it`;
}
