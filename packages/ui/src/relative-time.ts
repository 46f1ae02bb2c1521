const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Made for the first time that is shown: it takes longer than everything else that a page makes. */
const kept: { words?: Intl.RelativeTimeFormat } = {};

/** `3 min. ago`, `in 2 hr.`, `just now`. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return seconds > 5 ? `in ${Math.round(seconds)} s` : 'just now';
  kept.words ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
  return kept.words.format(Math.trunc(seconds / step[1]), step[0]);
}
