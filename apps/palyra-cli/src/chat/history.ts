import { type Draft, draftOf } from './draft.ts';

/** Earlier prompts of the session, oldest first. Kept in memory only: prompts may hold secrets. */
export interface History {
  readonly prompts: readonly string[];
  /** Which one is looked at; `undefined` for what is being typed. */
  readonly place: number | undefined;
  /** What was being typed before. */
  readonly kept: Draft | undefined;
}

export const NO_HISTORY: History = { prompts: [], place: undefined, kept: undefined };

const MAX_PROMPTS = 1000;

export interface Recalled {
  readonly history: History;
  readonly draft: Draft;
}

export function remember({ prompts }: History, prompt: string): History {
  const others = prompts.at(-1) === prompt ? prompts.slice(0, -1) : prompts;
  return historyOf([...others, prompt]);
}

export function historyOf(prompts: readonly string[]): History {
  return { ...NO_HISTORY, prompts: prompts.slice(-MAX_PROMPTS) };
}

/** Contract: `undefined` where there is nothing older. */
export function older(history: History, draft: Draft): Recalled | undefined {
  const place = (history.place ?? history.prompts.length) - 1;
  const prompt = history.prompts[place];
  if (prompt === undefined) return undefined;
  const kept = history.place === undefined ? draft : history.kept;
  return { history: { ...history, place, kept }, draft: draftOf(prompt) };
}

/** Contract: `undefined` for who is not looking back. */
export function newer(history: History): Recalled | undefined {
  if (history.place === undefined) return undefined;
  const place = history.place + 1;
  const prompt = history.prompts[place];
  if (prompt !== undefined) return { history: { ...history, place }, draft: draftOf(prompt) };
  const draft = history.kept ?? draftOf('');
  return { history: { ...NO_HISTORY, prompts: history.prompts }, draft };
}
