import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { listAt, textAt, valueAt } from '../json-view.ts';

/** More pieces than this are not kept, and the model thinks again. */
const MAX_DETAILS = 1024;

/**
 * The thoughts of a turn. OpenAI has no field for them; those that serve other models have two for
 * the text, and OpenRouter one more for what the model behind it has signed.
 */
export class ChatThoughts {
  #field: TextField | undefined;
  #text = '';
  readonly #details: JsonObject[] = [];

  /** What is thought in this piece. */
  read(delta: unknown): string {
    for (const detail of listAt(delta, 'reasoning_details')) {
      if (isJsonObject(detail)) this.#add(detail);
    }
    // The same thought under two names; servers that send both repeat themselves.
    const field = TEXT_FIELDS.find((name) => textAt(delta, name) !== undefined);
    if (field === undefined) return '';
    this.#field ??= field;
    const text = textAt(delta, field) ?? '';
    this.#text += text;
    return text;
  }

  /** One item: the fields that the message gets when it is sent again. */
  keepsake(): readonly JsonObject[] | undefined {
    if (this.#details.length > MAX_DETAILS) return undefined;
    if (this.#details.length > 0) return [{ reasoning_details: this.#details }];
    return this.#field === undefined || this.#text === ''
      ? undefined
      : [{ [this.#field]: this.#text }];
  }

  /** Pieces of one detail have its type and index; their texts are joined, the rest is the last. */
  #add(detail: JsonObject): void {
    const last = this.#details.at(-1);
    if (
      last === undefined ||
      !SAME.every((name) => valueAt(last, name) === valueAt(detail, name))
    ) {
      if (this.#details.length <= MAX_DETAILS) this.#details.push(detail);
      return;
    }
    const joined = JOINED.flatMap((name) => {
      const [before, after] = [textAt(last, name), textAt(detail, name)];
      return before === undefined || after === undefined ? [] : [[name, before + after] as const];
    });
    const told = Object.entries(detail).filter(([, value]) => value !== null);
    this.#details.splice(-1, 1, { ...last, ...Object.fromEntries([...told, ...joined]) });
  }
}

const TEXT_FIELDS = ['reasoning_content', 'reasoning'] as const;
type TextField = (typeof TEXT_FIELDS)[number];

const SAME = ['type', 'index'] as const;
const JOINED = ['text', 'summary', 'data'] as const;
