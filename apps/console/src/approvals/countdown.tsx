import { useSyncExternalStore } from 'react';
import { classes, createTick } from '@palyra/ui';

const tick = createTick(1_000);
const SOON_MS = 60_000;

/** How much time is left, to the second. */
export function useLeftMs(until: string): number {
  const now = useSyncExternalStore(tick.subscribe, tick.now);
  return Math.max(Date.parse(until) - now, 0);
}

export function Countdown({ until }: { readonly until: string }) {
  const leftMs = useLeftMs(until);
  return (
    <time
      dateTime={until}
      title={until}
      className={classes('tabular-nums', leftMs < SOON_MS && 'font-semibold text-bad')}
    >
      {leftWords(leftMs)}
    </time>
  );
}

/** `4:59`, `1h 5m`, `2d 3h` */
export function leftWords(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit));
  if (days !== undefined && days > 0) return `${days}d ${(hours ?? 0) % 24}h`;
  if (hours !== undefined && hours > 0) return `${hours}h ${(minutes ?? 0) % 60}m`;
  return `${minutes ?? 0}:${String(seconds % 60).padStart(2, '0')}`;
}
