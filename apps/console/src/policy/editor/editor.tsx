import { useRef, useState } from 'react';
import { type GetPolicyResponse, Permission, type PolicyProblem } from '@palyra/protocol';
import { Badge, Button, Card, Copy } from '@palyra/ui';
import { useMay } from '../../app/caller.ts';
import { Problems } from '../problems.tsx';
import { CodeArea } from './code-area.tsx';
import { type Draft, draftOf, isSame, withNewFile, withText, withoutFile } from './draft.ts';
import { FileTabs } from './file-tabs.tsx';
import { Trials } from './trials.tsx';
import { useCheck } from './use-check.ts';

/** The operator's layer as it would be: checked while one writes, tried before it counts. */
export function Editor({ policy }: { readonly policy: GetPolicyResponse }) {
  const inForce = draftOf(policy.files);
  const [draft, setDraft] = useState<Draft>(inForce);
  const [name, setName] = useState(inForce[0]?.name ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const mayChange = useMay(Permission.POLICY_MANAGE);
  const check = useCheck(draft);
  const text = draft.find((file) => file.name === name)?.text ?? '';
  const lead = (problem: PolicyProblem) => {
    setName(problem.file);
    const before = draft.find((file) => file.name === problem.file)?.text.split('\n') ?? [];
    const at = before.slice(0, Math.max(0, problem.line - 1)).join('\n').length + problem.column;
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  const remove = () => {
    const rest = withoutFile(draft, name);
    setDraft(rest);
    setName(rest[0]?.name ?? '');
  };
  const add = () => {
    const more = withNewFile(draft);
    setDraft(more);
    setName(more.at(-1)?.name ?? '');
  };
  const isChanged = !isSame(draft, inForce);
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="The operator’s rules"
        aside={
          <span className="flex items-center gap-2">
            {isChanged ? <Badge tone="wait">changed</Badge> : <Badge>as in force</Badge>}
            <Copy text={text} label="Copy this file" />
          </span>
        }
      >
        <FileTabs draft={draft} chosen={name} onChoose={setName} onAdd={add} onRemove={remove} />
        <CodeArea
          ref={area}
          label={name}
          text={text}
          isReadOnly={false}
          onChange={(next) => setDraft(withText(draft, name, next))}
        />
        <div className="mt-3 flex flex-wrap items-center gap-3" aria-live="polite">
          <CheckWord check={check} />
          {isChanged ? (
            <Button size="small" look="quiet" onClick={() => setDraft(inForce)}>
              Back to what is in force
            </Button>
          ) : null}
        </div>
        <Problems problems={check.data?.problems ?? []} onChoose={lead} />
      </Card>
      <Trials draft={draft} isChanged={isChanged} mayApply={mayChange} />
    </div>
  );
}

function CheckWord({ check }: { readonly check: ReturnType<typeof useCheck> }) {
  if (check.isFetching) return <span className="text-sm text-soft">Checking…</span>;
  if (check.isError) return <span className="text-sm text-bad">{check.error.message}</span>;
  if (check.data === undefined || check.data.problems.length > 0) return null;
  const { rules } = check.data;
  return (
    <Badge tone="good">
      {rules === 1 ? '1 rule, fits the schema' : `${rules} rules, all fit the schema`}
    </Badge>
  );
}
