import { resolve } from 'node:path';
import { quote } from '@palyra/kernel';
import { type Invocation, argument } from './command.ts';
import { UsageError } from './usage-error.ts';

/** What `palyrad sandbox run` takes on its standard input. */
export interface Order {
  readonly tier: 'B' | 'C';
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly wallTimeMs?: number;
  /** Absent for what the configuration says. */
  readonly egress?: Egress;
  readonly hosts: readonly string[];
}

const EGRESS = ['none', 'preflight', 'strict'] as const;
type Egress = (typeof EGRESS)[number];

/** Contract: throws for a command line that asks for something else. */
export function orderOf(invocation: Invocation, folder: string): Order {
  const timeout = invocation.text.get('timeout');
  return {
    tier: readTier(invocation.text.get('tier')),
    executable: argument(invocation, 0),
    arguments: invocation.arguments.slice(1),
    workspace: resolve(folder, invocation.text.get('workspace') ?? '.'),
    environment: Object.fromEntries((invocation.texts.get('env') ?? []).map(readVariable)),
    ...(timeout !== undefined && { wallTimeMs: readTime(timeout) }),
    ...readEgress(invocation),
  };
}

function readTier(text = 'c'): Order['tier'] {
  if (text === 'b' || text === 'B') return 'B';
  if (text === 'c' || text === 'C') return 'C';
  throw new UsageError(`\`--tier\` does not take ${quote(text)}`, 'give it as `b` or `c`');
}

function readEgress({ text, texts }: Invocation): Pick<Order, 'egress' | 'hosts'> {
  const hosts = texts.get('allow-host') ?? [];
  const given = text.get('egress');
  if (given === undefined) return { hosts };
  const egress = EGRESS.find((mode) => mode === given);
  if (egress === undefined) {
    const ways = 'give it as `none`, `preflight` or `strict`';
    throw new UsageError(`\`--egress\` does not take ${quote(given)}`, ways);
  }
  if (egress === 'none' && hosts.length > 0) {
    throw new UsageError(
      '`--egress none` gives the whole network, so no host can be allowed alone',
      'leave `--egress` out, or `--allow-host`',
    );
  }
  return { egress, hosts };
}

function readVariable(text: string): readonly [name: string, value: string] {
  const place = text.indexOf('=');
  if (place > 0) return [text.slice(0, place), text.slice(place + 1)];
  throw new UsageError(`\`--env\` does not take ${quote(text)}`, 'give it as `NAME=VALUE`');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MOST_MS = 24 * 3_600_000;
const LEAST_MS = 10;

export function readTime(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,8})(ms|s|m|h)$/.exec(text) ?? [];
  const time = Number(amount) * (UNITS[unit] ?? 0);
  if (time >= LEAST_MS && time <= MOST_MS) return time;
  throw new UsageError(
    `\`--timeout\` does not take ${quote(text)}`,
    'give it as `500ms`, `30s`, `2m` or `1h`, from 10ms to 24h',
  );
}
