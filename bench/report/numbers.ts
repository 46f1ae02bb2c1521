import type { Limit, Target } from '../target.ts';

/** Three digits that matter, and a gap before the thousands. */
export function amount(value: number): string {
  const size = Math.abs(value);
  if (size >= 100)
    return Math.round(value)
      .toString()
      .replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
  return value.toFixed(size >= 10 ? 1 : 2);
}

export function withUnit(value: number, unit: string): string {
  return `${amount(value)} ${unit}`;
}

export function limitWords(limit: Limit, unit: string): string {
  return 'atMost' in limit ? `≤ ${limit.atMost} ${unit}` : `≥ ${limit.atLeast} ${unit}`;
}

export function subjectWords({ subject, by }: Pick<Target, 'subject' | 'by'>): string {
  return by === undefined ? subject : `${subject} (${by})`;
}
