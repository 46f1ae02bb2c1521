import type { ModelRequest, ToolSpec, Turn } from '../../ports.ts';

/**
 * Bytes of UTF-8 that are counted as one token. Prose in English has more in one, code, JSON and
 * other scripts about as many: on the high side on purpose, because a request that turns out too
 * long is refused by the provider, and one that turns out shorter costs nothing.
 */
const BYTES_A_TOKEN = 3;
/** What a provider puts around each turn. */
const TOKENS_A_TURN = 8;
/** As many as the largest image costs with the providers that say so. */
const TOKENS_AN_IMAGE = 1_600;

export function tokensOfText(text: string): number {
  return tokensIn(Buffer.byteLength(text));
}

export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / BYTES_A_TOKEN);
}

/** As much of a request as is read. */
export type ReadRequest = Pick<ModelRequest, 'system' | 'tools' | 'conversation'>;

export function tokensOfRequest({ system, tools, conversation }: ReadRequest): number {
  return tokensOfText(system) + tokensOfTools(tools) + tokensOf(conversation);
}

/** About so many bytes of text make this many tokens. */
export function bytesFor(tokens: number): number {
  return tokens * BYTES_A_TOKEN;
}

export function tokensOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0);
}

/** Contract: what was given once is not changed; every turn is told of the same. */
export function tokensOfTools(tools: readonly ToolSpec[]): number {
  const known = COUNTED.get(tools);
  if (known !== undefined) return known;
  const tokens = tokensOfText(JSON.stringify(tools));
  COUNTED.set(tools, tokens);
  return tokens;
}

const COUNTED = new WeakMap<readonly ToolSpec[], number>();

function tokensOfTurn(turn: Turn): number {
  const tokens = TOKENS_A_TURN + tokensOfText(turn.text);
  switch (turn.role) {
    case 'user':
      return tokens + TOKENS_AN_IMAGE * (turn.images ?? []).length;
    case 'model':
      return turn.toolCalls.reduce(
        (sum, { tool, argumentsJson }) =>
          sum + TOKENS_A_TURN + tokensOfText(tool) + tokensOfText(argumentsJson),
        tokens,
      );
    case 'tool':
      return tokens;
  }
}
