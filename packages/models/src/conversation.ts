import { Buffer } from 'node:buffer';
import { type JsonObject, canonicalJson, isJsonObject, quote } from '@palyra/kernel';
import { ModelFailure } from './failure.ts';
import { parseJson } from './json-view.ts';
import type {
  ModelImage,
  ModelToolCall,
  ModelTurn,
  ToolTurn,
  Turn,
  UserTurn,
} from './model-port.ts';

/** A conversation as every provider takes it: each call has one answer, right behind the calls. */
export type TidyTurn =
  | UserTurn
  | ModelTurn
  | { readonly role: 'tools'; readonly results: readonly ToolResult[] };

export interface ToolResult {
  readonly call: ModelToolCall;
  readonly text: string;
}

export const NO_RESULT = 'there is no result: the call did not come to an end';

/**
 * Providers reject a conversation in which a call has no answer, as after a crash or a cancelled
 * run, and one that answers what nobody asked. Turns that say nothing are left out.
 */
export function tidy(conversation: readonly Turn[]): readonly TidyTurn[] {
  return conversation.flatMap((turn, place): readonly TidyTurn[] => {
    switch (turn.role) {
      case 'user':
        return turn.text === '' && (turn.images ?? []).length === 0 ? [] : [turn];
      case 'model':
        return withResults(turn, answersAfter(conversation, place));
      case 'tool':
        return [];
    }
  });
}

function withResults(turn: ModelTurn, answers: readonly ToolTurn[]): readonly TidyTurn[] {
  if (turn.toolCalls.length === 0) return turn.text === '' ? [] : [turn];
  const results = turn.toolCalls.map((call) => ({
    call,
    text: answers.find(({ callId }) => callId === call.callId)?.text ?? NO_RESULT,
  }));
  return [turn, { role: 'tools', results }];
}

/** Answers may stand behind something a person said meanwhile, but not behind the next model turn. */
function answersAfter(conversation: readonly Turn[], place: number): readonly ToolTurn[] {
  const rest = conversation.slice(place + 1);
  const end = rest.findIndex(({ role }) => role === 'model');
  return rest.slice(0, end === -1 ? rest.length : end).filter((turn) => turn.role === 'tool');
}

/**
 * The arguments of an earlier call. What the model wrote need not be JSON, or nothing that can be
 * sent again; it is then shown to it as it was, so that it can tell what went wrong.
 */
export function argumentsOf({ argumentsJson }: ModelToolCall): JsonObject {
  const parsed = parseJson(argumentsJson);
  const isSendable = isJsonObject(parsed) && canBeWritten(parsed);
  return isSendable ? parsed : { not_a_json_object: argumentsJson };
}

function canBeWritten(value: JsonObject): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Contract: throws a ModelFailure for what not every provider takes. */
export function imageBase64({ mediaType, bytes }: ModelImage): string {
  if (!IMAGE_TYPES.includes(mediaType)) {
    throw new ModelFailure('bad-request', `an image is of the type ${quote(mediaType)}`, {
      help: `models read ${IMAGE_TYPES.join(', ')}`,
    });
  }
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new ModelFailure('bad-request', `an image is larger than ${MAX_IMAGE_BYTES} bytes`, {
      help: 'make it smaller',
    });
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

export function imageUrl(image: ModelImage): string {
  return `data:${image.mediaType};base64,${imageBase64(image)}`;
}
