const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;

/** When an id was made, which its first ten letters say. RFC 3339; empty for what is no id. */
export function timeOfId(id: string): string {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return '';
  let ms = 0;
  for (const letter of id.slice(0, TIME_LENGTH)) ms = ms * 32 + ALPHABET.indexOf(letter);
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
