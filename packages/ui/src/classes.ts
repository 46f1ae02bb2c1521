/** Class names in one string; what is not there is left out. */
export function classes(...names: readonly (string | undefined | false)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ');
}
