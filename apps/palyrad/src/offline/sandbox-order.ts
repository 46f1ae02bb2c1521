import { PalyraError } from '@palyra/kernel';
import { z } from 'zod';

/** What `palyra sandbox run` asks for. */
const ORDER = z.strictObject({
  tier: z.enum(['B', 'C']),
  executable: z.string(),
  arguments: z.array(z.string()),
  workspace: z.string(),
  environment: z.record(z.string(), z.string()),
  /** Base64. */
  stdin: z.base64(),
  wallTimeMs: z.int().optional(),
  /** Absent for what the configuration says. */
  egress: z.enum(['none', 'preflight', 'strict']).optional(),
  /** Entries of an allowlist; of no meaning for `none`. */
  hosts: z.array(z.string()),
});
export type Order = z.infer<typeof ORDER>;

/** Words of 1 MiB, the worst way to spell them, and 1 MiB of input. */
export const MAX_ORDER_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface Ordered {
  readonly order: Order;
  /** Aborts when whoever ordered has ended, or when we are told to. */
  readonly gone: AbortSignal;
}

/** The part of standard input that is used here. */
type Input = Pick<NodeJS.ReadableStream, 'on'>;

/** Contract: rejects with INVALID_INPUT for anything but one order on a line. */
export async function readOrder(input: Input): Promise<Ordered> {
  const gone = new AbortController();
  const stop = () => gone.abort();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, stop);
  const line = await firstLine(input, stop);
  const parsed = ORDER.safeParse(jsonOf(line));
  if (!parsed.success) throw unreadable();
  return { order: parsed.data, gone: gone.signal };
}

function firstLine(input: Input, onEnd: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    input.on('data', (chunk: Buffer) => {
      // What comes after the line is thrown away; only the end of it says something.
      size += chunk.length;
      if (size > MAX_ORDER_BYTES) return reject(unreadable());
      parts.push(chunk);
      if (!chunk.includes(NEWLINE)) return;
      const [line = ''] = Buffer.concat(parts).toString('utf8').split('\n', 1);
      resolve(line);
    });
    const end = () => {
      onEnd();
      reject(unreadable());
    };
    input.on('end', end);
    input.on('error', end);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Judged like everything else that is no order.
    return undefined;
  }
}

function unreadable(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'standard input holds no order for a sandbox', {
    help: '`palyra sandbox run` writes one',
  });
}
