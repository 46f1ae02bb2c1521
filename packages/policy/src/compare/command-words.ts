/** The words of a line that `commandLine` wrote; `undefined` for one that it never writes. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = line;
  while (rest !== '' || words.length === 0) {
    const found = WORD.exec(rest);
    if (found === null) return undefined;
    const [text, plain, quoted = ''] = found;
    words.push(plain ?? quoted.replaceAll(ESCAPE, unescaped));
    rest = rest.slice(text.length);
    if (text.endsWith(' ') && rest === '') return undefined;
  }
  return words;
}

/** As it is, or in quotes; then a space or the end. */
const WORD = /^(?:([^\s"]+)|"((?:[^"\\]|\\["\\]|\\u\{[\da-f]{1,6}\})*)")(?: |$)/u;
const ESCAPE = /\\(?:(["\\])|u\{([\da-f]+)\})/gu;

function unescaped(_: string, sign: string | undefined, code: string | undefined): string {
  return sign ?? String.fromCodePoint(Math.min(Number.parseInt(code ?? '0', 16), MAX_CODE_POINT));
}

const MAX_CODE_POINT = 0x10ffff;
