/** Where a link of a model may lead; anything else is text. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** More is no address that somebody could look at before they follow it. */
const LONGEST = 2_048;

/**
 * The address as a browser would understand it, so that what is shown is where it leads. Contract:
 * undefined for what is not absolute, of another scheme, or names a password.
 */
export function safeLink(address: string): string | undefined {
  if (address.length > LONGEST || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!SCHEMES.has(url.protocol) || url.password !== '' || url.username !== '') return undefined;
  return url.href;
}
