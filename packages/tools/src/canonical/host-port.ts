import { quote } from '@palyra/kernel';
import { type Host, readHost } from './host.ts';
import { type Reading, read, unreadable } from './reading.ts';

export interface HostPort extends Host {
  readonly port: number;
  /** Both in one spelling: `api.example:443`, `[2001:db8::1]:443`. */
  readonly text: string;
}

export const MAX_HOST_PORT = 320;
const TLS_PORT = 443;
/** Nothing that a URL would read as something beside host and port. */
const PLAIN = /^[^\s/?#@\\%]+$/;

/** `HOST` or `HOST:PORT`; 443 when it is not given. */
export function readHostPort(text: string): Reading<HostPort> {
  const place = PLAIN.test(text) ? URL.parse(`https://${text}`) : null;
  if (place === null) {
    return unreadable(`holds no host: ${quote(text)}`, 'write `api.example` or `api.example:8443`');
  }
  const host = readHost(place.hostname);
  if (host.kind === 'unreadable') return host;
  const { name, range } = host.value;
  const port = place.port === '' ? TLS_PORT : Number(place.port);
  return read({ name, range, port, text: `${name.includes(':') ? `[${name}]` : name}:${port}` });
}
