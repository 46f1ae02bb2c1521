import { memo } from 'react';
import { visibleText } from '@palyra/kernel';
import { Spinner } from '@palyra/ui';
import { Markdown } from '../text/markdown.tsx';
import { RunActions } from './actions/run-actions.tsx';
import { CallCard } from './call/call-card.tsx';
import { CompactionNote } from './compaction-note.tsx';
import { EndingNote, InterruptedNote } from './ending-note.tsx';
import { Note } from './note.tsx';
import { PromptBubble } from './prompt-bubble.tsx';
import { QueuedPrompt } from './queued-prompt.tsx';
import type { StoryItem } from './story/run-story.ts';
import type { Row } from './story/rows.ts';
import { counted, durationWords } from './story/words.ts';
import { Thought } from './thought.tsx';

export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case 'item':
      return <ItemView item={row.item} rowKey={row.key} runId={row.runId} />;
    case 'call':
      return <CallCard call={row.call} />;
    case 'speaking':
      return <Markdown text={row.markdown} />;
    case 'thinking':
      return <Thought text={row.text} rowKey={row.key} isLive />;
    case 'delayed': {
      const { model, waitMs, reason } = row.delay;
      const wait = waitMs === 0 ? 'now' : `in ${durationWords(waitMs)}`;
      return (
        <Note tone="wait">
          The model did not answer: {visibleText(reason, 'one-line')}.{' '}
          {visibleText(model, 'one-line')} is asked {wait}.
        </Note>
      );
    }
    case 'working':
      return (
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <Spinner />
          Working
        </p>
      );
    case 'left-out':
      return (
        <Note>
          {counted(row.count, 'older thing')} of this run {row.count === 1 ? 'is' : 'are'} not shown
          here; the journal has all of it.
        </Note>
      );
    case 'actions':
      return <RunActions story={row.story} />;
    case 'queued':
      return <QueuedPrompt run={row.run} />;
  }
});

interface ItemViewProps {
  readonly item: Exclude<StoryItem, { readonly kind: 'call' }>;
  readonly rowKey: string;
  readonly runId: string;
}

function ItemView({ item, rowKey, runId }: ItemViewProps) {
  switch (item.kind) {
    case 'prompt':
      return <PromptBubble runId={runId} text={item.text} images={item.images} at={item.at} />;
    case 'text':
      return <Markdown text={item.markdown} />;
    case 'thought':
      return <Thought text={item.text} rowKey={rowKey} />;
    case 'cut-off':
      return <Note tone="wait">The answer was cut off here.</Note>;
    case 'note':
      return <Note>{item.text}</Note>;
    case 'compacted':
      return <CompactionNote compaction={item.compaction} rowKey={rowKey} />;
    case 'restored':
      return (
        <Note>
          Given back as {item.paths.length === 1 ? 'it was' : 'they were'}:{' '}
          {item.paths.map((path) => visibleText(path, 'one-line')).join(', ')}
        </Note>
      );
    case 'interrupted':
      return <InterruptedNote reason={item.reason} />;
    case 'ended':
      return <EndingNote ending={item.ending} />;
  }
}
