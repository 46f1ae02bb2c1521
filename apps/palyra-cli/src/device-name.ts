import { hostname } from 'node:os';
import { parseId } from '@palyra/kernel';

const MAX_LENGTH = 64;

/** What this machine calls itself, made fit for a device's name at a gateway. */
export function deviceName(host = hostname()): string {
  const name = host.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, MAX_LENGTH);
  return name === '' || parseId(name) !== undefined ? 'this machine' : name;
}
