import type { Token } from 'marked';

/** What a reader would read of it. */
export function plainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(textOf).join('');
}

function textOf(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
