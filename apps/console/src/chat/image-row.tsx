import { X } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { PickedImage } from './use-images.ts';

export interface ImageRowProps {
  readonly images: readonly PickedImage[];
  readonly onRemove: (url: string) => void;
}

/** What goes with the prompt. */
export function ImageRow({ images, onRemove }: ImageRowProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map(({ url, name }) => {
        const shown = visibleText(name, 'one-line');
        return (
          <li key={url} className="relative">
            <img
              src={url}
              alt={shown}
              className="size-16 rounded-lg border border-line object-cover"
            />
            <button
              type="button"
              aria-label={`Remove ${shown}`}
              onClick={() => onRemove(url)}
              className="absolute -top-1.5 -right-1.5 rounded-full border border-line bg-card p-0.5 text-soft hover:text-ink"
            >
              <X size={12} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
