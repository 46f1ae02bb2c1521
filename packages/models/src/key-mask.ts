import { REDACTED } from '@palyra/kernel';
import { said } from './endings.ts';
import { ModelFailure } from './failure.ts';
import type { SaidEvent } from './model-port.ts';

/** Shorter ones stand in a text by chance. */
const MIN_KEY_LENGTH = 8;

type Stream = 'text' | 'reasoning';
const STREAMS: readonly Stream[] = ['text', 'reasoning'];

/** Takes the key that a server was sent out of what that server answers, before anybody keeps or shows it. */
export class KeyMask {
  readonly #key: string;
  /** The key as it may stand in JSON. */
  readonly #spelled: RegExp;
  /** Ends of texts that may be the beginning of the key: shorter than it. */
  readonly #held: Record<Stream, string> = { text: '', reasoning: '' };

  constructor(key: string) {
    this.#key = key.length < MIN_KEY_LENGTH ? '' : key;
    this.#spelled = new RegExp(Array.from(this.#key, spellings).join(''), 'g');
  }

  event(event: SaidEvent): readonly SaidEvent[] {
    if (this.#key === '') return [event];
    switch (event.kind) {
      case 'text':
      case 'reasoning':
        return said(event.kind, this.#piece(event.kind, event.text));
      case 'keepsake':
      case 'lost':
      case 'tool-call':
      case 'usage':
        return [...this.rest(), ...this.#whole(event)];
    }
  }

  /** What was held back, once no piece can follow any more. Most of a key is as good as the key. */
  rest(): readonly SaidEvent[] {
    return STREAMS.flatMap((stream) => {
      const held = this.#held[stream];
      this.#held[stream] = '';
      return said(stream, held.length * 2 > this.#key.length ? REDACTED : held);
    });
  }

  hide(text: string): string {
    return this.#key === '' ? text : text.replaceAll(this.#key, REDACTED);
  }

  failure(error: unknown): unknown {
    if (!(error instanceof ModelFailure)) return error;
    const message = this.hide(error.message);
    if (message === error.message) return error;
    const { reason, retryAfterMs } = error;
    return new ModelFailure(reason, message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }

  #whole(event: Exclude<SaidEvent, { readonly kind: Stream }>): readonly SaidEvent[] {
    if (event.kind === 'usage' || event.kind === 'lost') return [event];
    if (event.kind === 'keepsake') {
      // It is signed as it is; a turn without is still a turn.
      return JSON.stringify(event.keepsake.items).search(this.#spelled) < 0 ? [event] : [];
    }
    const argumentsJson = event.argumentsJson.replace(this.#spelled, REDACTED);
    return [{ ...event, tool: this.hide(event.tool), argumentsJson }];
  }

  #piece(stream: Stream, piece: string): string {
    const text = this.hide(this.#held[stream] + piece);
    const end = text.length - this.#beginningAtEndOf(text);
    this.#held[stream] = text.slice(end);
    return text.slice(0, end);
  }

  /** How many characters at the end are those with which the key begins. */
  #beginningAtEndOf(text: string): number {
    for (let length = Math.min(this.#key.length - 1, text.length); length > 0; length -= 1) {
      if (text.endsWith(this.#key.slice(0, length))) return length;
    }
    return 0;
  }
}

/** JSON has several for one character; writers differ in which they escape. */
function spellings(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const anyCase = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = RegExp.escape(character);
  const escaped = '"\\/'.includes(character) ? `|\\\\${plain}` : '';
  return `(?:${plain}${escaped}|\\\\u${anyCase})`;
}
