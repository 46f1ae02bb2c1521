/** Most text, and looking for scripts is slow. */
const ASCII = /^[\0-\x7f]*$/;
const WORDS = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
/** Letters of scripts in which nothing looks Latin; people write them and Latin ones together. */
const UNLIKE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]/gu;

/**
 * The first word that mixes scripts, as `paypal` with a Cyrillic `а` does; a path whose folders are
 * each of one script is nobody's trick.
 */
export function mixedWord(text: string): string | undefined {
  if (ASCII.test(text)) return undefined;
  return text.match(WORDS)?.find((word) => isMixed(word.replaceAll(UNLIKE, '')));
}

function isMixed(word: string): boolean {
  const scripts = [LATIN, CYRILLIC, GREEK].filter((script) => script.test(word)).length;
  const isOther = Array.from(word).some(
    (letter) => ![LATIN, CYRILLIC, GREEK].some((script) => script.test(letter)),
  );
  return scripts + (isOther && scripts > 0 ? 1 : 0) > 1;
}
