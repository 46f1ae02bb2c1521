import { Markdown } from '../text/markdown.tsx';
import { Fold } from './fold.tsx';
import type { Compaction } from './story/run-story.ts';

const COUNT = new Intl.NumberFormat('en');

export interface CompactionNoteProps {
  readonly compaction: Compaction;
  readonly rowKey: string;
}

export function CompactionNote({ compaction, rowKey }: CompactionNoteProps) {
  const { summary, tokensBefore, tokensAfter } = compaction;
  const size = `${COUNT.format(tokensBefore)} → ${COUNT.format(tokensAfter)} tokens`;
  return (
    <Fold rowKey={rowKey} title={`The older part is told to the model in short, ${size}`}>
      <Markdown text={summary} />
    </Fold>
  );
}
