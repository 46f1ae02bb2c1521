import { useState } from 'react';
import { Page, Tabs } from '@palyra/ui';
import { useTab } from '../app/use-tab.ts';
import { Answer } from '../wire/answer.tsx';
import { type Draft, draftOf, isSame } from './editor/draft.ts';
import { Editor } from './editor/editor.tsx';
import { useKept } from './editor/use-kept.ts';
import { Explain } from './explain/explain.tsx';
import { Rules } from './rules/rules.tsx';
import { useActivePolicy } from './use-active-policy.ts';

/** What is allowed, why, and what would be if the rules were others. */
export function PolicyPage() {
  const tab = useTab('/policy', ['rules', 'explain', 'edit']);
  // Kept here: who looks something up meanwhile finds what they wrote.
  const [draft, setDraft] = useState<Draft>();
  const policy = useActivePolicy();
  useKept(draft !== undefined && !isSame(draft, draftOf(policy.data?.files ?? [])));
  return (
    <Page title="Policy" says="Nothing is allowed that no rule allows">
      <Answer of={policy} lines={12}>
        {(active) => (
          <Tabs
            label="Policy"
            {...tab}
            tabs={[
              { id: 'rules', label: 'Rules in force', content: <Rules policy={active} /> },
              { id: 'explain', label: 'Explain a call', content: <Explain /> },
              {
                id: 'edit',
                label: 'Edit and try',
                content: <Editor policy={active} draft={draft} onDraft={setDraft} />,
              },
            ]}
          />
        )}
      </Answer>
    </Page>
  );
}
