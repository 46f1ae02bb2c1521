export type TokenKind =
  | 'comment'
  | 'string'
  | 'keyword'
  | 'annotation'
  | 'entity'
  | 'number'
  | 'plain';

export interface CedarToken {
  readonly kind: TokenKind;
  readonly text: string;
}

const PATTERN =
  /(?<comment>\/\/[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"?)|(?<annotation>@[A-Za-z_]\w*)|(?<number>\b\d+\b)|(?<entity>\b[A-Z]\w*(?=::))|(?<keyword>\b(?:permit|forbid|when|unless|principal|action|resource|context|in|is|has|like|if|then|else|true|false)\b)/g;

/** Contract: the texts of the tokens, one after the other, are the source. */
export function cedarTokens(source: string): readonly CedarToken[] {
  const tokens: CedarToken[] = [];
  let at = 0;
  for (const match of source.matchAll(PATTERN)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: source.slice(at, match.index) });
    tokens.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < source.length) tokens.push({ kind: 'plain', text: source.slice(at) });
  return tokens;
}

const KINDS = ['comment', 'string', 'keyword', 'annotation', 'entity', 'number'] as const;

function kindOf(groups: Readonly<Record<string, string | undefined>>): TokenKind {
  return KINDS.find((kind) => groups[kind] !== undefined) ?? 'plain';
}
