import { type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress } from './base-url.ts';

/**
 * Looks a name up and refuses it unless all its addresses are this machine. `localhost` is only a
 * name: what stands in a hosts file must not carry a conversation away in the clear.
 */
export const lookUpLoopback: LookupFunction = (hostname, options, callback) => {
  const wish: LookupOptions = { ...options, all: true };
  lookup(hostname, wish, (error, found) => {
    const addresses = typeof found === 'string' ? [{ address: found, family: 4 }] : found;
    if (error !== null) return callback(error, []);
    const isOurs = addresses.every(({ address }) => isLoopbackAddress(address));
    if (!isOurs || addresses[0] === undefined) {
      return callback(Object.assign(new Error('not this machine'), { code: 'ENOTLOOPBACK' }), []);
    }
    if (options.all === true) return callback(null, addresses);
    return callback(null, addresses[0].address, addresses[0].family);
  });
};
