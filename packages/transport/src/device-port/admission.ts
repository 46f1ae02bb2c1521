import type { Socket } from 'node:net';
import { networkOf } from '../address.ts';
import type { TransportSettings } from '../transport-section.ts';

/** Handshakes that may be under way at once. */
export const MOST_HANDSHAKES = 64;
/** One device may hold this share of the places, so that no device can shut out the others. */
const DEVICE_SHARE = 4;

/**
 * Who may come in, by count. Connections that have proven nothing have places of their own, so
 * that no number of them can shut a device out.
 */
export interface Admission {
  /**
   * A handshake begins. When too many are under way, the oldest of the network that has the most
   * of them is cut: whoever floods pays, and a newcomer from elsewhere gets its turn.
   */
  knock(socket: Socket): void;
  /** The handshake is over. Contract: `false` when there is no place, which is then not taken. */
  admit(socket: Socket, guest: Guest): boolean;
}

export type Guest =
  | { readonly kind: 'device'; readonly name: string }
  | { readonly kind: 'stranger' };

export type AdmissionBounds = Pick<
  TransportSettings,
  'max_connections' | 'max_strangers' | 'max_strangers_per_address'
>;

export function createAdmission(bounds: AdmissionBounds): Admission {
  const handshakes = new Map<string, Socket>();
  const devices = createPlaces(
    bounds.max_connections,
    Math.ceil(bounds.max_connections / DEVICE_SHARE),
  );
  const strangers = createPlaces(bounds.max_strangers, bounds.max_strangers_per_address);
  return {
    knock(socket) {
      const ends = endsOf(socket);
      handshakes.set(ends, socket);
      socket.once('close', () => handshakes.delete(ends));
      if (handshakes.size > MOST_HANDSHAKES) crowdedOut([...handshakes.values()])?.destroy();
    },
    admit(socket, guest) {
      handshakes.delete(endsOf(socket));
      const network = networkOf(socket.remoteAddress ?? '');
      const leave = guest.kind === 'device' ? devices.take(guest.name) : strangers.take(network);
      if (leave === undefined) return false;
      socket.once('close', leave);
      return true;
    },
  };
}

function endsOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}

/** Contract: sockets come oldest first; of networks with equally many, the one that came first. */
export function crowdedOut<One extends Pick<Socket, 'remoteAddress'>>(
  sockets: readonly One[],
): One | undefined {
  const groups = Map.groupBy(sockets, ({ remoteAddress }) => networkOf(remoteAddress ?? ''));
  let largest: readonly One[] = [];
  for (const group of groups.values()) if (group.length > largest.length) largest = group;
  return largest[0];
}

interface Places {
  /** Contract: returns how to give the place back, or `undefined` when there is none. */
  take(name: string): (() => void) | undefined;
}

function createPlaces(most: number, mostEach: number): Places {
  const taken = new Map<string, number>();
  let count = 0;
  return {
    take(name) {
      const mine = taken.get(name) ?? 0;
      if (count >= most || mine >= mostEach) return undefined;
      count += 1;
      taken.set(name, mine + 1);
      return () => {
        count -= 1;
        const left = (taken.get(name) ?? 1) - 1;
        if (left === 0) taken.delete(name);
        else taken.set(name, left);
      };
    },
  };
}
