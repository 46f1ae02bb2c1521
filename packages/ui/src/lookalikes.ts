import { visibleText } from '@palyra/kernel';

/** A stretch of text, and what has to be said about it. */
export type Piece =
  | { readonly is: 'plain'; readonly text: string }
  /** It would not be seen, or would change what is seen around it; `text` is its visible escape. */
  | { readonly is: 'hidden'; readonly text: string }
  /** It is seen, and looks like something else. */
  | { readonly is: 'lookalike'; readonly text: string; readonly like: string }
  /** So many of them that what follows could be taken for something apart, or not be found. */
  | { readonly is: 'gap'; readonly text: string };

/**
 * A text in pieces, so that every code point that hides or passes for another one can be marked.
 * Letters of another script are no lookalikes in words that are plainly of that script: `Привет` has
 * letters that no Latin word has, `раураl` has none.
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const word of text.match(WORDS) ?? []) {
    if (/^[ \t]/.test(word)) {
      add(pieces, { is: widthOf(word) > WIDEST_GAP ? 'gap' : 'plain', text: word });
      continue;
    }
    const isOwnScript = hasOwnLetters(word);
    for (const character of word.match(CLUSTER) ?? []) add(pieces, pieceOf(character, isOwnScript));
  }
  return pieces;
}

/** `U+0430` */
export function codePoints(text: string): string {
  return Array.from(text, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${hex.padStart(4, '0')}`;
  }).join(' ');
}

/** In columns. Deeper than code is indented. */
const WIDEST_GAP = 40;
const TAB_COLUMNS = 4;

function widthOf(gap: string): number {
  return gap.replaceAll('\t', ' '.repeat(TAB_COLUMNS)).length;
}

/** Spaces, letters with their marks, an emoji that asks for its colours, or one character of anything else. */
const WORDS = /[ \t]+|[\p{L}\p{M}]+|\p{Extended_Pictographic}\uFE0F|[^\p{L}\p{M}]/gu;
/** A letter with the marks that stand on it. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last?.is === 'plain' && piece.is === 'plain') {
    pieces[pieces.length - 1] = { is: 'plain', text: last.text + piece.text };
  } else {
    pieces.push(piece);
  }
}

function pieceOf(character: string, isOwnScript: boolean): Piece {
  if (ASCII.test(character)) return { is: 'plain', text: character };
  const escaped = visibleText(character);
  if (escaped !== character) return { is: 'hidden', text: escaped };
  const like = likenessOf(character, isOwnScript);
  if (like === undefined) return { is: 'plain', text: character };
  return { is: 'lookalike', text: character, like };
}

const ASCII = /^[\t\n\x20-\x7e]$/;

function likenessOf(character: string, isOwnScript: boolean): string | undefined {
  if (/^\p{Zs}/u.test(character)) return 'a space';
  const simple = SIGNS.get(character) ?? (isOwnScript ? undefined : LETTERS.get(character));
  if (simple !== undefined) return simple;
  // Two spellings of one glyph: composed and decomposed, or a sign that stands for a letter.
  const composed = character.normalize('NFC');
  if (composed !== character) return `${composed} (${codePoints(composed)})`;
  const compatible = character.normalize('NFKC');
  return /^[\x20-\x7e]+$/.test(compatible) ? compatible : undefined;
}

/** A word of one script other than Latin, with a letter that looks like no Latin one. */
function hasOwnLetters(word: string): boolean {
  return !/\p{Script=Latin}/u.test(word) && Array.from(word).some((letter) => isOwn(letter));
}

function isOwn(letter: string): boolean {
  return /\p{L}/u.test(letter) && !LETTERS.has(letter);
}

function table(pairs: string): ReadonlyMap<string, string> {
  return new Map(pairs.split(' ').map((pair) => [pair.slice(1), pair.slice(0, 1)]));
}

/** Each ASCII letter with one that passes for it: Cyrillic, Greek, Armenian, Cherokee, odd Latin. */
const LETTERS = table(
  [
    'a\u0430 c\u0441 d\u0501 e\u0435 h\u04bb i\u0456 j\u0458 l\u04cf o\u043e p\u0440 q\u051b s\u0455 w\u051d x\u0445 y\u0443 y\u04af',
    'A\u0410 B\u0412 C\u0421 E\u0415 H\u041d I\u0406 I\u04c0 J\u0408 K\u041a M\u041c O\u041e P\u0420 Q\u051a S\u0405 T\u0422 W\u051c X\u0425 Y\u04ae Y\u0423 G\u050c',
    'k\u043a m\u043c t\u0442 r\u0433 v\u0475 b\u044c n\u043f u\u0446',
    'a\u03b1 i\u03b9 k\u03ba n\u03b7 o\u03bf p\u03c1 t\u03c4 u\u03c5 v\u03bd w\u03c9 x\u03c7 y\u03b3 c\u03f2 j\u03f3',
    'A\u0391 B\u0392 E\u0395 Z\u0396 H\u0397 I\u0399 K\u039a M\u039c N\u039d O\u039f P\u03a1 T\u03a4 Y\u03a5 X\u03a7 C\u03f9 J\u037f',
    'o\u0585 h\u0570 n\u0578 u\u057d g\u0581 q\u0566 O\u0555 S\u054f U\u054d L\u053c j\u0575 w\u0561',
    'A\u13aa B\u13f4 C\u13df D\u13a0 E\u13ac G\u13c0 H\u13bb I\u13a5 J\u13ab K\u13e6 L\u13de M\u13b7 P\u13e2 R\u13a1 S\u13da T\u13a2 V\u13d9 W\u13b3 Y\u13bd Z\u13c3',
    'i\u0131 j\u0237 a\u0251 g\u0261 i\u0269 l\u01c0 l\u0196 v\u028b u\u028a y\u028f n\u0274 r\u0280 b\u0299 h\u029c l\u029f c\u1d04 o\u1d0f s\ua731 u\u1d1c v\u1d20 w\u1d21 z\u1d22 m\u1d0d k\u1d0b',
    'o\u05e1 l\u05d5 l\u05df o\u0d20 o\u101d o\u0ae6 o\u0e50 l\u0627 l\u2d4f O\u2d54 E\u2d39',
  ].join(' '),
);

/** Signs that pass for those of a command or an address. */
const SIGNS = table(
  [
    '-\u2010 -\u2011 -\u2012 -\u2013 -\u2014 -\u2015 -\u2212 -\u02d7 -\u06d4 -\u30fc -\u2043',
    "'\u2018 '\u2019 '\u201b '\u02b9 '\u02bc '\u02bb '\u2032 '\u00b4 `\u02cb `\u2035 \"\u201c \"\u201d \"\u201f \"\u2033 \"\u02ba",
    '/\u2044 /\u2215 /\u29f8 /\u2571 /\u27cb \\\u2216 \\\u29f5 \\\u29f9 |\u01c0 |\u2223 |\u2758 |\u05c0',
    '.\u0660 .\u06f0 .\u2024 .\u00b7 .\u2022 ,\u201a ,\u060c :\u02d0 :\u2236 :\u0589 :\u05c3 :\ua789 ;\u037e !\u01c3 ?\u0294',
    '~\u02dc ~\u223c ~\u2053 *\u2217 *\u204e *\u066d +\u2795 =\u2e40 <\u2039 <\u02c2 >\u203a >\u02c3 ^\u02c4 ^\u02c6 _\u02cd %\u066a #\ufe5f &\ua778',
  ].join(' '),
);
