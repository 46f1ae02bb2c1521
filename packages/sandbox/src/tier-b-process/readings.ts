/**
 * Everything in one word that a program could take for a path: the word, what follows `=`, `@` or an
 * option's letter, the parts of a list, what `file:` names, and the same after percent signs are resolved.
 * Too much rather than too little: what stays unread is what a program could reach unseen.
 */
export function readingsOf(word: string): readonly string[] {
  const texts = [word, ...decoded(word)];
  const readings = texts.flatMap((text) => [
    text,
    ...withoutWebAddresses(text).split(SEPARATORS).flatMap(partReadings),
  ]);
  return [...new Set(readings)].filter((reading) => reading !== '' && !/^-+$/.test(reading));
}

const SEPARATORS = /[=:,;@|&#?!^$<>'"`()[\]{}\s\\]+/;
/** Only those: other schemes, and addresses without a host, are read as paths by one program or another. */
const WEB_ADDRESS = /\bhttps?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[^\s,;'"|<>]*)?/gi;
/** Options of one letter can be glued together, and to a value. */
const MAX_GLUED = 16;

function withoutWebAddresses(text: string): string {
  return text.replace(WEB_ADDRESS, ' ');
}

function partReadings(part: string): readonly string[] {
  const rooted = part.search(/[/~]/);
  const before = part.slice(0, Math.max(rooted, 0));
  const isGlued = part.startsWith('-') || !/[\p{L}\p{N}_.]/u.test(before);
  return [
    part,
    ...(rooted > 0 && isGlued ? [part.slice(rooted)] : []),
    ...(/^-[^-]/.test(part) ? glued(part, rooted) : []),
  ];
}

/** Where the value begins nobody can tell: `-vI/x` has a root in it, and so is taken to be one. */
function glued(part: string, rooted: number): readonly string[] {
  const end = rooted < 0 ? part.length - 1 : rooted;
  const last = Math.min(end, MAX_GLUED + 1);
  const upwards = part.indexOf('..');
  return [
    ...Array.from({ length: Math.max(0, last - 1) }, (_, place) => part.slice(place + 2)),
    ...(upwards > 0 ? [part.slice(upwards)] : []),
  ];
}

function decoded(word: string): readonly string[] {
  if (!word.includes('%')) return [];
  const text = word.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
  return text === word ? [] : [text];
}
