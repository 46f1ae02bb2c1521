/**
 * Without the prefix `__Host-`: browsers demand TLS for that, and the console speaks plain HTTP on
 * loopback. Without a domain it goes to this host alone; it does go to every port of it.
 */
const NAME = 'palyra_session';
const SECRET_PATTERN = /^[A-Za-z0-9_-]{20,128}$/;
const RULES = 'Path=/; HttpOnly; SameSite=Strict';

/**
 * Contract: `undefined` unless there is exactly one. A second one was put there by somebody else on
 * this host, and nobody can tell which is ours.
 */
export function sessionSecretIn(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  const [secret = ''] = values;
  return values.length === 1 && SECRET_PATTERN.test(secret) ? secret : undefined;
}

export function sessionCookie(secret: string, lifeSeconds: number): string {
  return `${NAME}=${secret}; ${RULES}; Max-Age=${lifeSeconds}`;
}

export const ENDED_COOKIE = `${NAME}=; ${RULES}; Max-Age=0`;
