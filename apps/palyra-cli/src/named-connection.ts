import type { Invocation } from './command.ts';
import { UsageError } from './usage-error.ts';

const TLS_PORT = 443;
const HIGHEST_PORT = 65_535;
/** An IPv6 address is in brackets, so that its port can be told from it. */
const PLACE = /^(?:\[(?<bare>[^\]]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/u;

/** That of `--connect`, with port 443 unless it says another. */
export function namedConnection({ text }: Pick<Invocation, 'text'>) {
  const named = text.get('connect');
  if (named === undefined) return {};
  const { host, bare, port } = PLACE.exec(named)?.groups ?? {};
  const name = host ?? bare ?? '';
  const number = port === undefined ? TLS_PORT : Number(port);
  if (name === '' || number > HIGHEST_PORT) {
    throw new UsageError(`\`${named}\` is no host with a port`, 'write `api.example:443`');
  }
  return { connection: { host: name, port: number } };
}
