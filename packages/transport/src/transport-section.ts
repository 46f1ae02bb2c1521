import * as z from 'zod';

/** The `[transport]` section of palyra.toml: how much of the gateway one caller may hold. */
export const transportSection = z
  .object({
    listen: z
      .string()
      .regex(
        /^(unix|(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):[1-9][0-9]{0,4})$/,
        'is `unix` or `HOST:PORT`',
      )
      .max(300)
      .default('unix')
      .describe('where the API listens: `unix` for the private socket, or `HOST:PORT`'),
    tls: z
      .enum(['off', 'on'])
      .default('off')
      .describe('whether a network address speaks TLS; the private socket needs none'),
    max_connections: z
      .int()
      .min(1)
      .max(4_096)
      .default(256)
      .describe('connections that may be open at once; more are closed as they come'),
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
    first_bytes_ms: z
      .int()
      .min(100)
      .max(60_000)
      .default(5_000)
      .describe('how long a new connection may stay silent before it is closed'),
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
  .strict();

export type TransportSettings = z.infer<typeof transportSection>;
