import { visibleText } from '@palyra/kernel';
import { Spinner } from '@palyra/ui';
import { Fold } from './fold.tsx';
import { MAX_THOUGHT } from './story/speech.ts';

export interface ThoughtProps {
  readonly text: string;
  readonly rowKey: string;
  readonly isLive?: boolean;
}

/** What the model thought aloud. It outlives a reload while its run goes on; it is recorded nowhere. */
export function Thought({ text, rowKey, isLive = false }: ThoughtProps) {
  const title = isLive ? (
    <span className="flex items-center gap-2">
      Thinking <Spinner />
    </span>
  ) : (
    'Thought'
  );
  return (
    <Fold rowKey={rowKey} title={title}>
      <p className="whitespace-pre-wrap wrap-anywhere">
        {text.length >= MAX_THOUGHT ? '… ' : ''}
        {visibleText(text)}
      </p>
      <p className="mt-2 text-xs">
        Thoughts are not recorded: once the run has ended, a reload of this page forgets them.
      </p>
    </Fold>
  );
}
