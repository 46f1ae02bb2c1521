import { useRef } from 'react';
import { ImagePlus } from 'lucide-react';
import { IMAGE_TYPES } from './picked-images.ts';

/** Images of this machine, to go with the prompt. */
export function PickButton({ onPick }: { readonly onPick: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={IMAGE_TYPES.join(',')}
        aria-label="Images"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onPick([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <button
        type="button"
        aria-label="Add images"
        title="Add images, or paste them"
        onClick={() => input.current?.click()}
        className="rounded-lg p-2 text-soft hover:bg-raised hover:text-ink"
      >
        <ImagePlus size={16} aria-hidden="true" />
      </button>
    </>
  );
}
