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

const kept: { exact?: Intl.DateTimeFormat } = {};

function exactTime(time: Date): string {
  kept.exact ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
  return `${kept.exact.format(time)} · ${time.toISOString()}`;
}
