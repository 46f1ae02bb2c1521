import { quote } from '@palyra/kernel';
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

/** From its first slash, without query and fragment. */
export function spellUrlPath(text: string): string {
  const path = text.replace(/[?#].*$/su, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function oddly(what: string, text: string): string {
  return `the ${what} ${quote(text)} is not in its one spelling`;
}
