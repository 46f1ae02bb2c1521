import type { Json } from '@palyra/kernel';
import { ModelFailure } from './failure.ts';
import type { SaidEvent } from './model-port.ts';
import type { ToolOf } from './names.ts';

/** Only bounds memory: how many calls are made is for the budget of a run to say. */
export const MAX_TOOL_CALLS = 1024;
export const MAX_ARGUMENTS_LENGTH = 1024 * 1024;

interface Draft {
  name: string;
  id: string;
  arguments: string;
}

/**
 * Tool calls while they are still coming in, several at once and in pieces.
 * Contract: throws a ModelFailure beyond its bounds.
 */
export class ToolCallDrafts {
  readonly #drafts: Draft[] = [];
  readonly #bySlot = new Map<string, Draft>();
  #lastSlot: string | undefined;

  /** The slot is whatever the wire tells calls apart by; a slot that is opened again is a new call. */
  open(slot: string, { name, id = '' }: { readonly name: string; readonly id?: string }): void {
    if (this.#drafts.length >= MAX_TOOL_CALLS) {
      throw new ModelFailure('too-much-said', `a turn has more than ${MAX_TOOL_CALLS} tool calls`);
    }
    const draft = { name, id, arguments: '' };
    this.#drafts.push(draft);
    this.#bySlot.set(slot, draft);
    this.#lastSlot = slot;
  }

  has(slot: string): boolean {
    return this.#bySlot.has(slot);
  }

  /** Empty when the wire has named none, or there is no such call. */
  idOf(slot: string): string {
    return this.#bySlot.get(slot)?.id ?? '';
  }

  /** The one that was opened last. */
  get lastSlot(): string | undefined {
    return this.#lastSlot;
  }

  append(slot: string, piece: string): void {
    const draft = this.#draft(slot);
    draft.arguments += piece;
    checkLength(draft.arguments);
  }

  /** What a server says at the end counts, whatever its pieces were; one that says nothing takes nothing back. */
  settle(slot: string, { name, text }: { readonly name?: string; readonly text: string }): void {
    const draft = this.#draft(slot);
    if (name !== undefined && name !== '') draft.name = name;
    checkLength(text);
    if (text !== '') draft.arguments = text;
  }

  /** Of names and arguments, as far as they have come. */
  get bytes(): number {
    const sizes = this.#drafts.map(
      (draft) => Buffer.byteLength(draft.name) + Buffer.byteLength(draft.arguments),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  events(toolOf: ToolOf): readonly SaidEvent[] {
    return this.#drafts.map((draft) => ({
      kind: 'tool-call',
      tool: toolOf(draft.name),
      argumentsJson: draft.arguments.trim() === '' ? '{}' : draft.arguments,
    }));
  }

  #draft(slot: string): Draft {
    const draft = this.#bySlot.get(slot);
    if (draft !== undefined) return draft;
    throw new ModelFailure('broken-stream', 'a piece of a tool call came before the call');
  }
}

/**
 * Arguments that a server sends as a value, as text; empty when there are none. Also what is no object
 * is handed on: whoever judges the call refuses that, and a call without it would be another one.
 */
export function argumentsIn(value: Json | undefined): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** The same where arguments are text by themselves; a few servers send the object instead. */
export function argumentText(value: Json | undefined): string {
  return typeof value === 'string' ? value : argumentsIn(value);
}

function checkLength(text: string): void {
  if (text.length <= MAX_ARGUMENTS_LENGTH) return;
  throw new ModelFailure(
    'too-much-said',
    `the arguments of a tool call are longer than ${MAX_ARGUMENTS_LENGTH} characters`,
  );
}
