import type { Method } from './canonical/method.ts';
import { type Reading, read } from './canonical/reading.ts';
import { readUrl } from './canonical/url.ts';
import type { Meaning } from './manifest.ts';

export function webMeaning(url: string, method: Method): Reading<Meaning> {
  const reading = readUrl(url);
  if (reading.kind === 'unreadable') return reading;
  const { scheme, host, port, path } = reading.value;
  return read({
    http: { method, scheme, host: host.name, port, path },
    hosts: [{ name: host.name, port, range: host.range }],
  });
}
