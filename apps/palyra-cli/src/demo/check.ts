import type { Exit } from '../exit-codes.ts';
import { executorWord } from '../render/words.ts';
import { type CallTale, endingOf, endingWords, handsOf } from './call-tale.ts';
import { CHAPTERS, type Chapter, type ToldCall } from './chapters.ts';

/** How one step of the story came out. */
export interface StepOutcome {
  readonly step: string;
  readonly isAsTold: boolean;
  /** The tool calls of the step and how they ended. */
  readonly calls: readonly { readonly tool: string; readonly ending: string }[];
  /** Empty when it came out as told. */
  readonly because: string;
  /** What can be done about it; empty when there is nothing to do. */
  readonly help: string;
}

/** Contract: pure. The calls of a run, in the order in which they were proposed, for one chapter. */
export function talesOf(chapter: Chapter, tales: readonly CallTale[]): readonly CallTale[] {
  const before = CHAPTERS.slice(0, CHAPTERS.indexOf(chapter));
  const start = before.reduce((sum, { calls }) => sum + calls.length, 0);
  return tales.slice(start, start + chapter.calls.length);
}

/** Contract: pure. Whatever is not clearly as it was told is not. */
export function checkChapter(chapter: Chapter, tales: readonly CallTale[]): StepOutcome {
  const own = talesOf(chapter, tales);
  const calls = own.map((tale) => ({ tool: tale.tool, ending: endingWords(tale) }));
  for (const [place, told] of chapter.calls.entries()) {
    const tale = own[place];
    const because = difference(told, tale);
    if (because !== '') {
      return { step: chapter.id, isAsTold: false, calls, because, help: tale?.failure?.help ?? '' };
    }
  }
  return asTold(chapter.id, calls);
}

export function asTold(step: string, calls: StepOutcome['calls'] = []): StepOutcome {
  return { step, isAsTold: true, calls, because: '', help: '' };
}

/** Contract: pure. A story that lacks a step was not told. */
export function exitOfStory(outcomes: readonly StepOutcome[]): Exit {
  const isWhole = outcomes.length === CHAPTERS.length + 1;
  return isWhole && outcomes.every(({ isAsTold }) => isAsTold) ? 'ok' : 'failure';
}

/** Contract: empty when there is none. */
function difference(told: ToldCall, tale: CallTale | undefined): string {
  const name = `\`${told.tool}\``;
  if (tale === undefined) return `${name} was never proposed`;
  if (tale.tool !== told.tool) return `\`${tale.tool}\` was proposed instead of ${name}`;
  if (endingOf(tale) !== told.ending) {
    const why = tale.failure?.message ?? tale.reason;
    const because = why === '' ? '' : ` (${why})`;
    return `${name} should have been "${told.ending}", and came out as "${endingWords(tale)}"${because}`;
  }
  if (handsOf(tale) !== told.by) {
    return `${name} was carried out by ${executorWord(tale.executor)}, not by ${told.by}`;
  }
  if (told.refusedBy !== undefined && !isRefusedBy(tale, told.refusedBy)) {
    const rules = tale.ruleIds.length === 0 ? 'no rule' : tale.ruleIds.join(', ');
    return `${name} was refused by ${rules}, not by ${told.refusedBy || 'the absence of one'}`;
  }
  return '';
}

function isRefusedBy({ ruleIds }: CallTale, ruleId: string): boolean {
  return ruleId === '' ? ruleIds.length === 0 : ruleIds.includes(ruleId);
}
