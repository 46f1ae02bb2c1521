import { useMemo, useRef } from 'react';
import { type GetPolicyResponse, Permission } from '@palyra/protocol';
import { Badge, Button, Card, Copy } from '@palyra/ui';
import { useMay } from '../../app/caller.ts';
import { Problems } from '../problems.tsx';
import { CodeArea } from './code-area.tsx';
import { type Draft, draftOf, isSame, ownFiles } from './draft.ts';
import { draftDiff } from './draft-diff.ts';
import { FileTabs } from './file-tabs.tsx';
import { Trials } from './trials.tsx';
import { useCheck } from './use-check.ts';
import { useFiles } from './use-files.ts';

export interface EditorProps {
  readonly policy: GetPolicyResponse;
  /** Absent while nothing was changed. */
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}

/** The operator's layer as it would be: checked while one writes, tried before it counts. */
export function Editor({ policy, draft: kept, onDraft: setDraft }: EditorProps) {
  // The same until it changes, or it would be taken for something that was just written, again and again.
  const inForce = useMemo(() => draftOf(policy.files), [policy.files]);
  const draft = kept ?? inForce;
  const area = useRef<HTMLTextAreaElement>(null);
  const files = useFiles(draft, setDraft, area);
  const mayChange = useMay(Permission.POLICY_MANAGE);
  const { answer: check, isOld } = useCheck(draft);
  const isChanged = !isSame(draft, inForce);
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="The operator’s rules"
        aside={
          <span className="flex items-center gap-2">
            {isChanged ? <Badge tone="wait">changed</Badge> : <Badge>as in force</Badge>}
            <Copy text={files.text} label="Copy this file" />
          </span>
        }
      >
        <FileTabs
          draft={draft}
          chosen={files.name}
          onChoose={files.choose}
          onAdd={files.add}
          onRemove={files.remove}
        />
        <CodeArea ref={area} label={files.name} text={files.text} onChange={files.write} />
        <div className="mt-3 flex flex-wrap items-center gap-3" aria-live="polite">
          <CheckWord check={check} isOld={isOld} />
          {isChanged ? (
            <Button size="small" look="quiet" onClick={() => setDraft(undefined)}>
              Back to what is in force
            </Button>
          ) : null}
        </div>
        <Problems problems={check.data?.problems ?? []} onChoose={files.lead} />
      </Card>
      <Trials
        // What was found out about one draft says nothing about another.
        key={JSON.stringify(draft)}
        draft={draft}
        diff={draftDiff(ownFiles(policy.files), draft)}
        mayApply={mayChange}
        isFit={isChanged && !isOld && check.data?.problems.length === 0}
      />
    </div>
  );
}

interface CheckWordProps {
  readonly check: ReturnType<typeof useCheck>['answer'];
  readonly isOld: boolean;
}

function CheckWord({ check, isOld }: CheckWordProps) {
  if (isOld || check.isFetching) return <span className="text-sm text-soft">Checking…</span>;
  if (check.isError) return <span className="text-sm text-bad">{check.error.message}</span>;
  if (check.data === undefined || check.data.problems.length > 0) return null;
  const { rules } = check.data;
  if (rules === 0) return <Badge>no rule yet</Badge>;
  return (
    <Badge tone="good">
      {rules === 1 ? '1 rule, fits the schema' : `${rules} rules, all fit the schema`}
    </Badge>
  );
}
