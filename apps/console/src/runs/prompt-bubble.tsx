import { visibleText } from '@palyra/kernel';
import type { ImageNote } from '@palyra/protocol';
import { Clamp, When } from '@palyra/ui';
import { SentImage } from './artifact/sent-image.tsx';

export interface PromptBubbleProps {
  readonly runId: string;
  readonly text: string;
  readonly images: readonly ImageNote[];
  readonly at: string;
}

/** What the person asked for. */
export function PromptBubble({ runId, text, images, at }: PromptBubbleProps) {
  return (
    <div className="flex flex-col items-end gap-1 pt-4">
      <div className="max-w-[90%] min-w-0 rounded-card rounded-br-sm bg-accent-tint px-4 py-2.5">
        <Clamp>
          <p className="leading-relaxed wrap-anywhere whitespace-pre-wrap">{visibleText(text)}</p>
        </Clamp>
        {images.length === 0 ? null : (
          <ul className="mt-2 flex flex-wrap gap-1.5">
            {images.map((image, place) => (
              <li key={`${image.sha256} ${place}`}>
                <SentImage runId={runId} image={image} />
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
