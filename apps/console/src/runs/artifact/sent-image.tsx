import { byteWords } from '@palyra/client';
import { useState } from 'react';
import { ImageIcon } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { ImageNote } from '@palyra/protocol';
import { Badge, Dialog } from '@palyra/ui';
import { ArtifactImage } from './artifact-image.tsx';
import { useWhole } from './use-whole.ts';

export interface SentImageProps {
  readonly runId: string;
  readonly image: ImageNote;
}

/** An image of a prompt, small; all of it when it is asked for. Its facts alone where it is gone. */
export function SentImage({ runId, image: { sha256, mediaType, size } }: SentImageProps) {
  const [isOpen, setIsOpen] = useState(false);
  const artifact = { runId, sha256, bytes: Number(size) };
  const { url, error } = useWhole(artifact);
  const says = `${visibleText(mediaType, 'one-line')}, ${byteWords(Number(size))}`;
  if (error !== null) {
    return (
      <Badge title={sha256}>
        <ImageIcon size={12} aria-hidden="true" />
        {says}, no longer kept
      </Badge>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-label={`Open the image, ${says}`}
        title={says}
        onClick={() => setIsOpen(true)}
        className="block size-28 overflow-hidden rounded-lg border border-line bg-raised"
      >
        {url === undefined ? null : (
          <img src={url} alt="" decoding="async" className="size-full object-cover" />
        )}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Image"
        says={says}
        width="wide"
      >
        <ArtifactImage artifact={artifact} says="Sent with the prompt" />
      </Dialog>
    </>
  );
}
