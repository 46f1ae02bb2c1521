/**
 * The half of a session that the browser keeps from the page. A cookie goes to every port of its
 * host, so whoever listens on another one gets to see it: it counts only beside a proof by the key
 * that the page holds, which no other port can use, and the cookie is what a script in the page
 * cannot read.
 * Without the prefix `__Host-`: browsers demand TLS for that, and the console speaks plain HTTP on
 * loopback.
 */
const RULES = 'Path=/; HttpOnly; SameSite=Strict';
const HTTP_PORT = '80';

export function sessionCookie(host: string, secret: string, lifeSeconds: number): string {
  return `${nameFor(host)}=${secret}; ${RULES}; Max-Age=${lifeSeconds}`;
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

/** With the port, so that consoles of several gateways do not overwrite one another's. */
function nameFor(host: string): string {
  return `palyra_session_${/:(\d+)$/.exec(host)?.[1] ?? HTTP_PORT}`;
}
