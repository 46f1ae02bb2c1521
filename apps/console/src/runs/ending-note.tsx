import { visibleText } from '@palyra/kernel';
import { type ErrorDetail, RunStatus } from '@palyra/protocol';
import { Badge, Words } from '@palyra/ui';
import type { Ending } from './story/run-story.ts';
import { spentWords, statusTone, statusWord, stopWords } from './story/words.ts';

/** How a run came out, why, and what it took. */
export function EndingNote({ ending }: { readonly ending: Ending }) {
  const { status, stopReason, error, spent } = ending;
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={statusTone(status)}>{statusWord(status)}</Badge>
        {error === undefined ? <span className="text-soft">{stopWords(stopReason)}</span> : null}
      </div>
      {error === undefined ? null : <Trouble error={error} />}
      {spent === undefined ? null : (
        <p className="text-xs text-soft">{spentWords(spent).join(' · ')}</p>
      )}
    </div>
  );
}

export function InterruptedNote({ reason }: { readonly reason: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line pt-3 text-sm">
      <Badge tone="wait">{statusWord(RunStatus.INTERRUPTED)}</Badge>
      <span className="text-soft wrap-anywhere">{visibleText(reason, 'one-line')}</span>
    </div>
  );
}

export function Trouble({ error }: { readonly error: ErrorDetail }) {
  return (
    <div className="rounded-lg border border-bad/40 bg-bad-tint px-3 py-2 wrap-anywhere">
      <p className="font-medium text-bad">
        <Words text={visibleText(error.message, 'one-line')} />
      </p>
      {error.help === '' ? null : (
        <p className="mt-0.5 text-ink">
          <Words text={visibleText(error.help, 'one-line')} />
        </p>
      )}
    </div>
  );
}
