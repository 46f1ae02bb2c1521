import { byteWords } from '@palyra/client';
import { useState } from 'react';
import { Button, Dialog } from '@palyra/ui';
import { ArtifactPages } from './artifact-pages.tsx';
import type { Artifact } from './read-artifact.ts';

export function OpenArtifact({ artifact }: { readonly artifact: Artifact }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <span>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Open all {byteWords(artifact.bytes)}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="All of the result"
        width="wide"
      >
        <ArtifactPages artifact={artifact} />
      </Dialog>
    </span>
  );
}
