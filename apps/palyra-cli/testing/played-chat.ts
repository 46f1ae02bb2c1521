import { advance } from '../src/chat/advance.ts';
import {
  type ChatEvent,
  type ChatState,
  type Step,
  type Wish,
  freshChat,
} from '../src/chat/chat-state.ts';
import type { Press } from '../src/chat/press.ts';
import { shownApproval } from './approval.ts';
import type { runEvent } from './run-events.ts';

export const ENTER: Press = { name: 'return' };
export const ESCAPE: Press = { name: 'escape' };
export const TAB: Press = { name: 'tab' };
export const CTRL_C: Press = { text: 'c', ctrl: true };

/** A chat that things happen to, a second after the other unless they say when. */
export class PlayedChat {
  state: ChatState = freshChat('', 0);
  wishes: Wish[] = [];
  at = 0;

  hear(...events: readonly ReturnType<typeof runEvent>[]): this {
    for (const event of events)
      this.#happen({ kind: 'run', told: { event, from: 'live' }, at: this.#next() });
    return this;
  }

  happen(...events: readonly ChatEvent[]): this {
    for (const event of events) this.#happen(event);
    return this;
  }

  press(...presses: readonly Press[]): this {
    for (const press of presses) this.#happen({ kind: 'pressed', press, at: this.#next() });
    return this;
  }

  /** So fast that nobody could have read anything in between. */
  dash(...presses: readonly Press[]): this {
    for (const press of presses) {
      this.at += 50;
      this.#happen({ kind: 'pressed', press, at: this.at });
    }
    return this;
  }

  type(text: string): this {
    return this.press(...text.split('').map((character) => ({ text: character })));
  }

  ask(shown = shownApproval()): this {
    const asked = { shown, page: ['the call'], details: ['details'], elsewhere: 'answer it there' };
    return this.happen({ kind: 'question', asked, at: this.#next() });
  }

  get told(): readonly unknown[] {
    return this.state.transcript.items.map(({ id: _id, gap: _gap, ...body }) => body);
  }

  #next(): number {
    this.at += 1000;
    return this.at;
  }

  #happen(event: ChatEvent): void {
    const { state, wishes }: Step = advance(this.state, event);
    this.state = state;
    this.wishes.push(...wishes);
  }
}
