import { type Clock, type Ids, type Log, PalyraError, type Places } from '@palyra/kernel';
import type { Authority, Device } from '@palyra/protocol';
import { Access } from './access/access.ts';
import { type Authorities, createAuthorities } from './authority/authorities.ts';
import type { Caller } from './caller.ts';
import { ConsoleSessions } from './console/console-sessions.ts';
import { Door, type DoorPlace } from './door/door.ts';
import { type IdentitySettings, isListenName } from './identity-section.ts';
import { createPairing, type Pairings } from './pairing/pairing.ts';
import type { PeopleRules } from './people-rules.ts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts';
import type { RecordsPort } from '@palyra/records';
import { Devices } from './registry/devices.ts';
import { Endings } from './registry/endings.ts';
import { firstOwnerName } from './registry/first-owner.ts';
import { MadeThrough } from './registry/made.ts';
import { Members } from './registry/members.ts';
import { Renewal } from './registry/renewal.ts';
import { openTables, registryRevision } from './registry/tables.ts';
import { TokenBuckets } from './registry/token-bucket.ts';
import { TokenUse } from './registry/token-use.ts';
import { Tokens } from './registry/tokens.ts';

export interface IdentityParts {
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly places: Places;
  readonly settings: IdentitySettings;
  /** The host of the device port, as configured: an address by which devices reach it is a name, too. */
  readonly listenHost?: string;
  readonly log: Log;
  readonly rules: PeopleRules;
}

type RegistryDevices = Pick<Devices, 'list' | 'get' | 'rename' | 'revoke' | 'remove'>;

/** Who everybody is, and how they prove it. */
export interface Identity {
  readonly access: Pick<
    Access,
    'byCertificate' | 'byToken' | 'stillToken' | 'bySession' | 'standing'
  >;
  readonly pairing: Omit<Pairings, 'sweep'>;
  readonly devices: RegistryDevices &
    Pick<Renewal, 'renew'> &
    Pick<MadeThrough, 'made' | 'revokeMade'>;
  readonly tokens: Pick<Tokens, 'create' | 'list' | 'rotate' | 'revoke'>;
  readonly members: Pick<Members, 'list' | 'add' | 'changeRole' | 'remove' | 'export'>;
  readonly authorities: IdentityAuthorities;
  readonly console: Pick<ConsoleSessions, 'createLink' | 'open' | 'close'>;
  readonly passkeys: Passkeys;
  /** Rises whenever somebody's standing may have changed, or the authorities have. */
  revision(): number;
  /** Tells programs of the same user on this machine where the open doors are, and whom to trust. */
  announce(place: DoorPlace): Promise<void>;
  /**
   * Ends what is due: pairings, links, sessions, authorities, and what a removed member left.
   * Contract: for a timer; never rejects, does a bounded step, and may run in several processes.
   */
  sweep(): Promise<void>;
}

export interface IdentityAuthorities extends Pick<Authorities, 'serverCredentials'> {
  list(): Promise<readonly Authority[]>;
  notMoved(): Promise<readonly Device[]>;
  rotate(caller: Caller): Promise<readonly Authority[]>;
  endRetiring(caller: Caller): Promise<readonly Authority[]>;
}

/** Contract: on the first start it makes the authority and the first owner. */
export async function createIdentity(parts: IdentityParts): Promise<Identity> {
  const { records, clock, rules } = parts;
  const tables = openTables(records);
  const endings = new Endings({ records, tables, clock });
  const members = new Members({ ...parts, tables, endings });
  const devices = new Devices({ records, tables, clock, rules });
  await members.addFirstOwner(firstOwnerName());
  const settings = namedSettings(parts);
  const authorities = await createAuthorities({ ...parts, settings });
  const pairing = createPairing({ ...parts, authorities, devices, members });
  const sessions = new ConsoleSessions({ ...parts, tables });
  const uses = new TokenUse({ records, tables, clock });
  const buckets = new TokenBuckets(clock);
  const door = new Door({ places: parts.places, clock, authorities });
  return {
    access: new Access({ tables, clock, authorities, buckets, uses }),
    pairing,
    devices: joined(devices, {
      renewal: new Renewal({ records, tables, clock, authorities }),
      made: new MadeThrough({ records, tables, clock, rules }),
    }),
    tokens: new Tokens({ ...parts, tables }),
    members,
    authorities: {
      list: () => authorities.list(),
      notMoved: async () => authorities.notMoved(await devices.list()),
      rotate: async (caller) => {
        const rotated = await authorities.rotate(caller);
        await door.refresh();
        return rotated;
      },
      endRetiring: async (caller) => {
        const left = await authorities.endRetiring(caller);
        await door.refresh();
        return left;
      },
      serverCredentials: () => authorities.serverCredentials(),
    },
    console: sessions,
    passkeys: createPasskeys({ ...parts, tables }),
    revision: () => registryRevision(tables) + authorities.revision(),
    announce: (place) => door.announce(place),
    sweep: () =>
      sweepAll(parts.log, {
        pairing: () => pairing.sweep(),
        authorities: () => authorities.tick(),
        door: () => door.refresh(),
        console: () => sessions.sweep(),
        registry: () => endings.sweep(),
      }),
  };
}

/** With the address of the device port among the names, unless it stands for every address. */
function namedSettings({ settings, listenHost = '' }: IdentityParts): IdentitySettings {
  if (!isListenName(listenHost)) return settings;
  return { ...settings, names: [...settings.names, listenHost] };
}

function joined(
  devices: Devices,
  { renewal, made }: { readonly renewal: Renewal; readonly made: MadeThrough },
): Identity['devices'] {
  return {
    list: () => devices.list(),
    get: (device) => devices.get(device),
    rename: (device, name, caller) => devices.rename(device, name, caller),
    revoke: (device, caller) => devices.revoke(device, caller),
    remove: (device, caller) => devices.remove(device, caller),
    renew: (certificateRequest, caller) => renewal.renew(certificateRequest, caller),
    made: (deviceId) => made.made(deviceId),
    revokeMade: (deviceId, caller) => made.revokeMade(deviceId, caller),
  };
}

/** One part that cannot be swept keeps no other from it; the next sweep tries again. */
async function sweepAll(
  log: Log,
  sweeps: Readonly<Record<string, () => Promise<void>>>,
): Promise<void> {
  for (const [part, sweep] of Object.entries(sweeps)) {
    try {
      await sweep();
    } catch (error) {
      const { code, message } = PalyraError.from(error);
      log.warn('identity was not swept', { part, code, reason: message });
    }
  }
}
