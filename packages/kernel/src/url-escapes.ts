/**
 * The escapes of a path or a query in their one spelling: those of characters that need none are
 * undone, the others get large letters. Whoever makes a call, a rule or a list of hosts compares text.
 */
export function spellEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}
