import { advance } from './advance.ts';
import type { ChatEvent, ChatState, Wish } from './chat-state.ts';

/** More often than this nobody sees a difference, and a model speaks in many small pieces. */
const REDRAW_MS = 33;

/** Holds the state of a chat, and tells whoever draws it. */
export class ChatStore {
  readonly #listeners = new Set<() => void>();
  #state: ChatState;
  #carryOut: (wish: Wish) => void = () => {};
  #redraw: NodeJS.Timeout | undefined;

  constructor(state: ChatState) {
    this.#state = state;
  }

  get state(): ChatState {
    return this.#state;
  }

  /** Who does what the chat wants. */
  serveWith(carryOut: (wish: Wish) => void): void {
    this.#carryOut = carryOut;
  }

  dispatch(event: ChatEvent): void {
    const { state, wishes } = advance(this.#state, event);
    const isChanged = state !== this.#state;
    this.#state = state;
    if (event.kind === 'run') this.#redraw ??= setTimeout(() => this.#tell(), REDRAW_MS);
    else if (isChanged) this.#tell();
    for (const wish of wishes) this.#carryOut(wish);
  }

  /** Contract: returns how to stop listening. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    clearTimeout(this.#redraw);
    this.#redraw = undefined;
    for (const listener of this.#listeners) listener();
  }
}
