import { ArrowUp } from 'lucide-react';
import { Button } from '@palyra/ui';
import { ImageRow } from './image-row.tsx';
import { ModelChoice } from './model-choice.tsx';
import { PickButton } from './pick-button.tsx';
import { StopButton } from './stop-button.tsx';
import { useDraft } from './use-draft.ts';

export interface ComposerProps {
  /** Absent: a new session. */
  readonly sessionId?: string;
  /** Of a new session; absent or empty: the one that the gateway was started in. */
  readonly workspace?: string;
  /** The run that goes on; what is sent waits for it. */
  readonly activeRunId?: string | undefined;
  /** Why nothing can be said here. */
  readonly closed?: string | undefined;
  /** The run goes on, and is not heard at the moment. */
  readonly isAway?: boolean;
  readonly onStarted?: (runId: string) => void;
}

export function Composer({ closed, ...rest }: ComposerProps) {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pt-2 pb-4">
      {closed === undefined ? (
        <OpenComposer {...rest} />
      ) : (
        <p className="rounded-card border border-line bg-raised px-4 py-3 text-center text-sm text-soft">
          {closed}
        </p>
      )}
    </div>
  );
}

type OpenComposerProps = Omit<ComposerProps, 'closed'>;

function OpenComposer(props: OpenComposerProps) {
  const { sessionId = '', workspace = '', activeRunId, isAway = false, onStarted } = props;
  const draft = useDraft({ sessionId, workspace }, onStarted);
  const isActive = activeRunId !== undefined;
  return (
    <form
      aria-label="Prompt"
      onSubmit={(event) => {
        event.preventDefault();
        draft.send();
      }}
      className="rounded-card border border-strong-line/60 bg-card shadow-card focus-within:border-accent"
    >
      <ImageRow images={draft.images} onRemove={draft.remove} />
      <textarea
        aria-label="What to do"
        autoFocus
        rows={1}
        value={draft.text}
        placeholder={isActive ? 'Queue a follow-up' : 'Ask, or give a task'}
        onKeyDown={draft.onKeyDown}
        onPaste={draft.onPaste}
        onChange={({ target }) => draft.setText(target.value)}
        className="field-sizing-content max-h-60 min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-soft"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <PickButton onPick={draft.add} />
        <ModelChoice chosen={draft.model} onChoose={draft.setModel} />
        <span className="ml-auto flex items-center gap-2">
          {isAway ? (
            <span role="status" className="text-xs text-wait">
              Not connected, trying again
            </span>
          ) : null}
          {isActive ? <StopButton runId={activeRunId} /> : null}
          <Button
            type="submit"
            look="main"
            size="small"
            isBusy={draft.isSending}
            disabled={!draft.canSend}
            title="Enter sends, Shift and Enter begins a line"
          >
            <ArrowUp size={15} aria-hidden="true" />
            {isActive ? 'Queue' : 'Send'}
          </Button>
        </span>
      </div>
    </form>
  );
}
