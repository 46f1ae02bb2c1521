import { useSyncExternalStore } from 'react';
import { relativeTime } from './relative-time.ts';
import { createTick } from './tick.ts';

const tick = createTick(15_000);

/** Contract: RFC 3339, or empty for never. Relative, with the exact time on hover. */
export function When({ at, never = 'never' }: { readonly at: string; readonly never?: string }) {
  const now = useSyncExternalStore(tick.subscribe, tick.now);
  const time = new Date(at);
  if (at === '' || Number.isNaN(time.getTime())) return <span className="text-soft">{never}</span>;
  return (
    <time dateTime={at} title={exactTime(time)} className="whitespace-nowrap">
      {relativeTime(time, new Date(now))}
    </time>
  );
}

const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

function exactTime(time: Date): string {
  return `${EXACT.format(time)} · ${time.toISOString()}`;
}
