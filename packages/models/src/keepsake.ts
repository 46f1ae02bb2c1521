import type { JsonObject } from '@palyra/kernel';
import { objectAt, textAt } from './json-view.ts';
import type { SaidEvent, ModelToolCall, ModelTurn, Turn } from './model-port.ts';

/** In characters of JSON. A longer one is not kept, and the model thinks again. */
export const MAX_KEEPSAKE_LENGTH = 512 * 1024;

/** Who says something: a keepsake is for the same model at the same place and in the same API only. */
interface Speaker {
  readonly name: string;
  readonly api: string;
  readonly baseUrl: URL;
}

export function keepsakeOf(items: readonly JsonObject[], speaker: Speaker): readonly SaidEvent[] {
  if (JSON.stringify(items).length > MAX_KEEPSAKE_LENGTH) return [];
  return [{ kind: 'keepsake', keepsake: { from: idOf(speaker), items } }];
}

/** The same conversation without the keepsakes of other models: what they signed is refused here. */
export function withOwnKeepsakes(conversation: readonly Turn[], speaker: Speaker): readonly Turn[] {
  const from = idOf(speaker);
  return conversation.map((turn) => {
    if (turn.role !== 'model' || turn.keepsake === undefined || turn.keepsake.from === from) {
      return turn;
    }
    const { keepsake: _foreign, ...rest } = turn;
    return rest;
  });
}

function idOf({ name, api, baseUrl }: Speaker): string {
  return `${name}+${api}@${baseUrl.href}`;
}

/** A piece of a turn, in the order in which the model said them. */
export type Piece =
  /** Nothing but the provider's: goes back as it is. */
  | { readonly kind: 'own'; readonly item: JsonObject }
  | { readonly kind: 'text'; readonly text: string; readonly extra: JsonObject }
  | { readonly kind: 'call'; readonly call: ModelToolCall; readonly extra: JsonObject };

/** Items of a keepsake as every wire writes them. Calls are told by their order alone. */
export const kept = {
  own: (item: JsonObject): JsonObject => ({ own: item }),
  text: (text: string, extra: JsonObject = {}): JsonObject => ({ text, extra }),
  call: (extra: JsonObject = {}): JsonObject => ({ extra }),
} as const;

/**
 * The turn piece by piece; `undefined` without a keepsake, and for one that does not fit what the
 * turn says, as when that was shortened meanwhile.
 */
export function piecesOf({ text, toolCalls, keepsake }: ModelTurn): readonly Piece[] | undefined {
  if (keepsake === undefined) return undefined;
  const rest = [...toolCalls];
  const pieces = keepsake.items.flatMap((item): readonly Piece[] => {
    const own = objectAt(item, 'own');
    if (own !== undefined) return [{ kind: 'own', item: own }];
    const extra = objectAt(item, 'extra') ?? {};
    const said = textAt(item, 'text');
    if (said !== undefined) return [{ kind: 'text', text: said, extra }];
    const call = rest.shift();
    return call === undefined ? [] : [{ kind: 'call', call, extra }];
  });
  const calls = keepsake.items.length - pieces.length;
  const saidAll = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  return calls === 0 && rest.length === 0 && saidAll === text ? pieces : undefined;
}
