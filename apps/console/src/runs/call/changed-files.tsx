import { plural } from '@palyra/client';
import { useQuery } from '@tanstack/react-query';
import { type FileChange, Permission } from '@palyra/protocol';
import { Badge, Diff, ShortId } from '@palyra/ui';
import { useMay } from '../../app/caller.ts';
import { inline } from '../../approvals/call-words.ts';
import { gateway } from '../../wire/gateway.ts';
import type { CallStory } from '../story/call.ts';
import { diffOf } from '../story/call-diff.ts';

/** The files that a call changed, and how. */
export function ChangedFiles({ call }: { readonly call: CallStory }) {
  const approved = useApprovedDiff(call);
  const diff = approved === '' ? diffOf(call) : approved;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-sm text-soft">{plural(call.changes.length, 'file')} changed</p>
      <ul className="flex flex-col gap-1 text-sm">
        {call.changes.map((change, place) => (
          // One call may change a file twice.
          <li key={place} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <Badge tone={change.afterSha256 === '' ? 'bad' : 'good'}>{kindOf(change)}</Badge>
            <code className="text-[0.8125rem] wrap-anywhere">{inline(change.path)}</code>
            {change.afterSha256 === '' ? null : <ShortId id={change.afterSha256} />}
          </li>
        ))}
      </ul>
      {diff === '' ? null : <Diff text={diff} />}
    </div>
  );
}

function kindOf({ beforeSha256, afterSha256 }: FileChange): string {
  if (beforeSha256 === '') return 'made';
  return afterSha256 === '' ? 'deleted' : 'changed';
}

/**
 * What a person was shown has the lines of before, too. Empty where nobody was. Asked for once: the
 * question of a call that was made is over, and does not change any more.
 */
function useApprovedDiff({ decision }: CallStory): string {
  const approvalId = decision?.approvalId ?? '';
  const may = useMay(Permission.APPROVALS_ANSWER);
  const { data } = useQuery({
    queryKey: ['approvals', 'shown', approvalId],
    staleTime: 'static',
    enabled: may && approvalId !== '',
    queryFn: ({ signal }) => gateway.approvals.getApproval({ approvalId }, { signal }),
  });
  const preview = data?.approval?.preview;
  return preview?.diffBytesLeftOut === 0 ? preview.diff : '';
}
