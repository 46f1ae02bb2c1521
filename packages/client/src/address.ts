import { isIP } from 'node:net';
import { PalyraError, quote } from '@palyra/kernel';

/** Where gateways listen for devices unless somebody said otherwise. */
export const DEVICE_PORT = 7443;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port` or `[::1]:port`. Contract: throws INVALID_INPUT for anything else. */
export function parseAddress(text: string): Address {
  const bare = text.startsWith('[') ? /^\[([^\]]*)\](?::(\d{1,5}))?$/ : /^([^:]*)(?::(\d{1,5}))?$/;
  const [, host = '', digits] = bare.exec(text) ?? (isIP(text) === 6 ? [text, text] : []);
  const port = digits === undefined ? DEVICE_PORT : Number(digits);
  const isHost = text.startsWith('[') ? isIP(host) === 6 : isIP(host) > 0 || NAME.test(host);
  if (isHost && port >= 1 && port <= 65_535) return { host, port };
  throw new PalyraError('INVALID_INPUT', `${quote(text)} is no address`, {
    help: 'give a host name or an IP address, with a port if it is not 7443: `gateway.lan:7443`',
  });
}

export function writeAddress({ host, port }: Address): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
