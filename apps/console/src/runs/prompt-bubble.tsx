import { ImageIcon } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { ImageNote } from '@palyra/protocol';
import { Badge, Clamp, When } from '@palyra/ui';
import { byteWords } from '../approvals/call-words.ts';

export interface PromptBubbleProps {
  readonly text: string;
  readonly images: readonly ImageNote[];
  readonly at: string;
}

/** What the person asked for. */
export function PromptBubble({ text, images, at }: PromptBubbleProps) {
  return (
    <div className="flex flex-col items-end gap-1 pt-4">
      <div className="max-w-[90%] min-w-0 rounded-card rounded-br-sm bg-accent-tint px-4 py-2.5">
        <Clamp>
          <p className="leading-relaxed wrap-anywhere whitespace-pre-wrap">{visibleText(text)}</p>
        </Clamp>
        {images.length === 0 ? null : (
          <ul className="mt-2 flex flex-wrap gap-1.5">
            {images.map(({ sha256, mediaType, size }, place) => (
              <li key={`${sha256} ${place}`}>
                <Badge title={sha256}>
                  <ImageIcon size={12} aria-hidden="true" />
                  {visibleText(mediaType, 'one-line')}, {byteWords(Number(size))}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
      {at === '' ? null : (
        <span className="text-xs text-soft">
          <When at={at} />
        </span>
      )}
    </div>
  );
}
