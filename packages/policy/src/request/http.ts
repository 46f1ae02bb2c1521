import { quote, spellEscapes } from '@palyra/kernel';
import type { HttpFacts } from '@palyra/protocol';
import { dialledProblem, portProblem } from './hosts.ts';

type Exchange = Omit<HttpFacts, '$typeName'>;

/** Contract: an exchange in which `httpProblem` found nothing. */
export function httpFacts({ method, scheme, host, port, path }: Exchange) {
  return { method, scheme, host, port, path };
}

/** Rules compare text, so a second spelling of a path or a host would slip past them. */
export function httpProblem({ scheme, host, port, path }: Exchange): string | undefined {
  if (!SCHEMES.includes(scheme)) return oddly('scheme', scheme);
  if (spellUrlPath(path) !== path) return oddly('path', path);
  return dialledProblem(host) ?? portProblem(port);
}

export const SCHEMES: readonly string[] = ['http', 'https'];

/** In large letters, of ASCII alone: a dotless `ı` would become an `I` too. */
export function spellMethod(text: string): string | undefined {
  return /^[a-z]+$/i.test(text) ? text.toUpperCase() : undefined;
}

/**
 * From its first slash, without query and fragment, escaped as the URL standard has it when it is sent;
 * `undefined` where a `%` escapes nothing, which each server reads in its own way.
 */
export function spellUrlPath(text: string): string | undefined {
  const path = text.replace(/[?#].*$/su, '');
  const whole = path.startsWith('/') ? path : `/${path}`;
  if (PLAIN_PATH.test(whole)) return whole;
  if (/%(?![\da-f]{2})/i.test(whole)) return undefined;
  const sent = URL.parse(`http://host${whole}`)?.pathname;
  return sent === undefined ? undefined : spellEscapes(sent);
}

/** Most paths: nothing in them is escaped, and no name begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)*\/?$/;

function oddly(what: string, text: string): string {
  return `the ${what} ${quote(text)} is not in its one spelling`;
}
