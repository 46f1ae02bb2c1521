import { isIP } from 'node:net';

/**
 * Names that an authority does not allow are in no certificate, so nobody can check them. A name allows
 * those below it, an address only itself.
 */
export function uncovered(names: readonly string[], allowed: readonly string[]): readonly string[] {
  const bases = allowed.map(spelled);
  return names.filter((name) => {
    const text = spelled(name);
    return !bases.some((base) => text === base || (isName(text) && text.endsWith(`.${base}`)));
  });
}

/** The URL parser writes each IPv6 address in one spelling. */
function spelled(name: string): string {
  if (!name.includes(':')) return name.toLowerCase();
  return URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name;
}

function isName(text: string): boolean {
  return isIP(text) === 0;
}
