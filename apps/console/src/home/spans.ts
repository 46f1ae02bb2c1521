import { systemClock } from '@palyra/kernel';

export type Span = 'day' | 'month';

interface SpanFacts {
  readonly says: string;
  readonly slotSeconds: number;
  readonly slots: number;
}

export const SPANS: Readonly<Record<Span, SpanFacts>> = {
  day: { says: '24 hours', slotSeconds: 3_600, slots: 24 },
  month: { says: '30 days', slotSeconds: 86_400, slots: 30 },
};

/** When the first slot begins, so that the last one is the one that goes on. */
export function sinceOf(span: Span, now = systemClock().now()): string {
  const { slotSeconds, slots } = SPANS[span];
  const slotMs = slotSeconds * 1_000;
  const current = Math.floor(now.getTime() / slotMs) * slotMs;
  return new Date(current - (slots - 1) * slotMs).toISOString();
}
