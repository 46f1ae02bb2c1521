import { UsageError } from './usage-error.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A day, or a moment with its zone: without one it would mean something else on each machine. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** `7d`, `12h`, `30m`, or a time, as the moment that it means. */
export function sinceTime(text: string, now: Date): string {
  const time = momentOf(text, (ms) => now.getTime() - ms);
  if (time !== undefined) return time;
  throw new UsageError(
    '`--since` takes 7d, 12h, 30m or a time',
    'for example `--since 2026-11-16T08:00:00Z`',
  );
}

/** The same words, for what lies ahead. */
export function untilTime(text: string, now: Date): string {
  const time = momentOf(text, (ms) => now.getTime() + ms);
  if (time !== undefined) return time;
  // A time that lies ahead by little: one that is written down here would be too far away, or over.
  const soon = new Date(now.getTime() + UNITS.h).toISOString().replace(/\.\d+Z$/, 'Z');
  throw new UsageError(
    '`until=` takes 7d, 12h, 30m or a time',
    `for example \`--scope until=2h\` or \`--scope until=${soon}\`, at most 30 days ahead`,
  );
}

/** Contract: `undefined` for what is neither a span nor a time. */
function momentOf(text: string, away: (ms: number) => number): string | undefined {
  const parts = /^(\d{1,5})([mhd])$/.exec(text);
  const amount = parts?.[1];
  const unit = parts?.[2];
  if (amount !== undefined && (unit === 'm' || unit === 'h' || unit === 'd')) {
    return new Date(away(Number(amount) * UNITS[unit])).toISOString();
  }
  const time = new Date(TIME.test(text) ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
