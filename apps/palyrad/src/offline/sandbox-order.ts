import { type Bytes, PalyraError } from '@palyra/kernel';
import { z } from 'zod';

/** What `palyra sandbox run` asks for. */
const ORDER = z.strictObject({
  tier: z.enum(['B', 'C']),
  executable: z.string(),
  arguments: z.array(z.string()),
  workspace: z.string(),
  environment: z.record(z.string(), z.string()),
  /** Whether there is input, which then comes in lines of its own. */
  hasInput: z.boolean(),
  wallTimeMs: z.int().optional(),
  /** Absent for what the configuration says. */
  egress: z.enum(['none', 'preflight', 'strict']).optional(),
  /** Entries of an allowlist; of no meaning for `none`. */
  hosts: z.array(z.string()),
});
export type Order = z.infer<typeof ORDER>;

/** Base64, of what was asked for; without it there is no more. */
const INPUT = z.strictObject({ input: z.base64().optional() });

/** Words of 1 MiB, in the worst way to spell them. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface Ordered {
  readonly order: Order;
  /** Aborts when whoever ordered has ended or says what nobody understands, or when we are told to. */
  readonly gone: AbortSignal;
}

export interface OrderParts {
  /** The part of standard input that is used here. */
  readonly lines: Pick<NodeJS.ReadableStream, 'on'>;
  /** Told each piece of the command's input; without bytes there are no more. */
  readonly onInput: (bytes: Bytes | undefined) => void;
}

/** Contract: rejects with INVALID_INPUT for anything but one order on the first line. */
export async function readOrder({ lines, onInput }: OrderParts): Promise<Ordered> {
  const gone = new AbortController();
  const stop = () => gone.abort();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, stop);
  const first = Promise.withResolvers<Order>();
  const splitter = new LineSplitter();
  let isOrdered = false;
  const hear = (line: string) => {
    if (isOrdered) return onInput(inputIn(line));
    isOrdered = true;
    first.resolve(orderIn(line));
  };
  const refuse = (reason: unknown) => {
    stop();
    first.reject(PalyraError.from(reason));
  };
  lines.on('data', (chunk: Buffer) => {
    try {
      for (const line of splitter.add(chunk)) hear(line);
    } catch (reason) {
      refuse(reason);
    }
  });
  lines.on('end', () => refuse(unreadable()));
  lines.on('error', () => refuse(unreadable()));
  return { order: await first.promise, gone: gone.signal };
}

/** Puts lines together that come in pieces. */
class LineSplitter {
  #parts: Buffer[] = [];
  #size = 0;

  /** Contract: throws INVALID_INPUT for a line beyond its bound. */
  *add(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_LINE_BYTES) throw unreadable();
    this.#parts.push(bytes);
  }

  #take(): string {
    const line = Buffer.concat(this.#parts, this.#size).toString('utf8');
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}

function orderIn(line: string): Order {
  const parsed = ORDER.safeParse(jsonOf(line));
  if (!parsed.success) throw unreadable();
  return parsed.data;
}

function inputIn(line: string): Bytes | undefined {
  const parsed = INPUT.safeParse(jsonOf(line));
  if (!parsed.success) throw unreadable();
  const { input } = parsed.data;
  return input === undefined ? undefined : new Uint8Array(Buffer.from(input, 'base64'));
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
