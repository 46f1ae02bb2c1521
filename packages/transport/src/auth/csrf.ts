import { createHmac, timingSafeEqual } from 'node:crypto';

const LABEL = 'palyra.csrf.v1';

/** What a page must send along beside its cookie. Whoever cannot read our answers cannot know it. */
export function csrfOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update(LABEL).digest('base64url');
}

export function isCsrf(text: string, sessionSecret: string): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(csrfOf(sessionSecret));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
