import * as z from 'zod';
import { isLoopbackAddress, parseAddress } from './address.ts';

/** The `[transport]` section of palyra.toml: where the doors are, and how much one caller may hold. */
export const transportSection = z
  .object({
    listen: z
      .string()
      .max(300)
      .refine(isAddress, 'has to be `HOST:PORT`')
      .default('127.0.0.1:7443')
      .describe('where devices connect, as `HOST:PORT`; always TLS 1.3 with certificates'),
    console: z
      .string()
      .max(300)
      .refine(isConsole, 'has to be `localhost:PORT`, a loopback address with a port, or `off`')
      .default('localhost:7142')
      .describe(
        'where browsers of this machine find the console: `HOST:PORT` on loopback, or `off`',
      ),
    max_connections: z
      .int()
      .min(1)
      .max(4_096)
      .default(256)
      .describe('connections of devices that may be open at once; one device may hold a quarter'),
    max_strangers: z
      .int()
      .min(1)
      .max(1_024)
      .default(32)
      .describe('connections without a certificate that may be open at once'),
    max_strangers_per_address: z
      .int()
      .min(1)
      .max(1_024)
      .default(8)
      .describe('how many of those one address may hold'),
    max_streams: z
      .int()
      .min(1)
      .max(1_024)
      .default(128)
      .describe('calls that may be open at once on one connection'),
    max_message_bytes: z
      .int()
      .min(4_194_304)
      .max(67_108_864)
      .default(8_388_608)
      .describe('longest message that is read or sent'),
    handshake_ms: z
      .int()
      .min(100)
      .max(60_000)
      .default(5_000)
      .describe('how long a new connection may take to prove who it is'),
    headers_ms: z
      .int()
      .min(100)
      .max(60_000)
      .default(10_000)
      .describe('how long the headers of an HTTP/1.1 request may take'),
    request_ms: z
      .int()
      .min(1_000)
      .max(600_000)
      .default(30_000)
      .describe('how long a whole request may take, or the first command of a stream'),
    idle_ms: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .default(300_000)
      .describe(
        'how long a connection is kept without an open call, or without its answer being read',
      ),
    drain_ms: z
      .int()
      .min(0)
      .max(600_000)
      .default(10_000)
      .describe('how long active runs may take to end when the daemon stops'),
  })
  .strict()
  .describe('where the gateway listens, and for how much it waits');

export type TransportSettings = z.infer<typeof transportSection>;

function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** The only name that browsers never ask a resolver for is `localhost`. */
function isConsole(text: string): boolean {
  if (text === 'off') return true;
  const host = parseAddress(text)?.host;
  return host !== undefined && (host === 'localhost' || isLoopbackAddress(host));
}
