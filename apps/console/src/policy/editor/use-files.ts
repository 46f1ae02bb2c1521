import { type RefObject, useState } from 'react';
import type { PolicyProblem } from '@palyra/protocol';
import { type Draft, withNewFile, withText, withoutFile } from './draft.ts';

/** Which file of a draft is written in, and what can be done with it. */
export function useFiles(
  draft: Draft,
  onDraft: (draft: Draft) => void,
  area: RefObject<HTMLTextAreaElement | null>,
) {
  const [chosen, choose] = useState(draft[0]?.name ?? '');
  const file = draft.find((each) => each.name === chosen) ?? draft[0];
  const name = file?.name ?? '';
  return {
    name,
    text: file?.text ?? '',
    choose,
    write: (text: string) => onDraft(withText(draft, name, text)),
    add: () => {
      const more = withNewFile(draft);
      onDraft(more);
      choose(more.at(-1)?.name ?? '');
    },
    remove: () => onDraft(withoutFile(draft, name)),
    /** Puts the caret where something is wrong. */
    lead: (problem: PolicyProblem) => {
      choose(problem.file);
      const lines = draft.find((each) => each.name === problem.file)?.text.split('\n') ?? [];
      const before = lines.slice(0, Math.max(0, problem.line - 1)).map((line) => `${line}\n`);
      const at = before.join('').length + Math.max(0, problem.column - 1);
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    },
  };
}
