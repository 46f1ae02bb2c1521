import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The half of a session that the browser keeps from the page. A cookie goes to every port of its
 * host, so whoever listens on another one gets to see it: it is made from the session's secret,
 * which it does not give away, and counts only beside that. The page holds the secret where no other
 * port can read it, and the cookie is what a script in the page cannot.
 * Without the prefix `__Host-`: browsers demand TLS for that, and the console speaks plain HTTP on
 * loopback.
 */
const LABEL = 'palyra.cookie.v1';
const RULES = 'Path=/; HttpOnly; SameSite=Strict';
const HTTP_PORT = '80';

export function sessionCookie(host: string, secret: string, lifeSeconds: number): string {
  return `${nameFor(host)}=${valueOf(secret)}; ${RULES}; Max-Age=${lifeSeconds}`;
}

export function endedCookie(host: string): string {
  return `${nameFor(host)}=; ${RULES}; Max-Age=0`;
}

/** Contract: the host was looked at before. */
export function cookiesIn(host: string, header: string | undefined): readonly string[] {
  const start = `${nameFor(host)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

/**
 * Contract: `false` unless there is exactly one. A second one was put there by somebody else on this
 * host, and nobody can tell which is ours.
 */
export function isCookieOf(secret: string, cookies: readonly string[]): boolean {
  const given = Buffer.from(cookies[0] ?? '');
  const wanted = Buffer.from(valueOf(secret));
  return cookies.length === 1 && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** With the port, so that consoles of several gateways do not overwrite one another's. */
function nameFor(host: string): string {
  return `palyra_session_${/:(\d+)$/.exec(host)?.[1] ?? HTTP_PORT}`;
}

function valueOf(secret: string): string {
  return createHmac('sha256', secret).update(LABEL).digest('base64url');
}
