/** Spans that are offered for a yes until a time. */
export const SPANS: readonly (readonly [id: string, says: string, ms: number])[] = [
  ['1h', '1 hour from now', 3_600_000],
  ['8h', '8 hours from now', 8 * 3_600_000],
  ['1d', '1 day from now', 86_400_000],
  ['7d', '7 days from now', 7 * 86_400_000],
];

/** A time that is typed. */
export const A_TIME = 'time';

export interface End {
  /** One of the spans, or `time`. */
  readonly span: string;
  /** As a field for a local time gives it; empty while there is none. */
  readonly local: string;
}

export const SOONEST: End = { span: '1h', local: '' };

/** Contract: RFC 3339; `undefined` where no time is named yet. */
export function untilOf({ span, local }: End, now: Date): string | undefined {
  const ms = SPANS.find(([id]) => id === span)?.[2];
  if (ms !== undefined) return new Date(now.getTime() + ms).toISOString();
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
