import { mayPart, part } from '../../text/pieces.ts';

/** Somebody who thinks aloud is followed, not written down. */
export const MAX_THOUGHT = 8_000;

/** What the model is saying right now. */
export interface Speech {
  /** Which of its messages it is. */
  readonly message: number;
  /** What nothing can change any more. */
  readonly done: readonly string[];
  readonly open: string;
  /** What it thinks meanwhile, the end of it; never recorded. */
  readonly thought: string;
}

export const SILENCE: Speech = { message: 0, done: [], open: '', thought: '' };

export function hearDelta(speech: Speech, text: string): Speech {
  const open = (speech.open + text).replaceAll('\r\n', '\n');
  if (!mayPart(open, text)) return { ...speech, open };
  const { done, rest } = part(open);
  return { ...speech, done: [...speech.done, ...done], open: rest };
}

export function hearThought(speech: Speech, text: string): Speech {
  return { ...speech, thought: (speech.thought + text).slice(-MAX_THOUGHT) };
}

/** What was being said counts for nothing any more, or comes again. */
export function hush({ message }: Speech): Speech {
  return { ...SILENCE, message };
}

export function nextMessage({ message }: Speech): Speech {
  return { ...SILENCE, message: message + 1 };
}

export function isSilent({ done, open, thought }: Speech): boolean {
  return done.length === 0 && open === '' && thought === '';
}
