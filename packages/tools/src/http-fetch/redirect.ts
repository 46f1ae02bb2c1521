import { type WebAddress, readUrl } from '../canonical/url.ts';
import type { Answer } from './exchange.ts';

/** Where an answer leads. */
export type Hop =
  | { readonly kind: 'none' }
  /** Never followed: rules and people have seen this address and no other. */
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function hopOf(answer: Answer, from: WebAddress): Hop {
  const location = answer.headers.get('location');
  if (!REDIRECTS.has(answer.status) || location === undefined) return { kind: 'none' };
  const target = URL.parse(location, from.url);
  const reading = readUrl(target?.href ?? location);
  if (reading.kind === 'unreadable') return { kind: 'unreadable', reason: reading.reason };
  return { kind: 'elsewhere', url: reading.value.url };
}
