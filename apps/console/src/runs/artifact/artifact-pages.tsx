import { byteWords } from '@palyra/client';
import { useState } from 'react';
import { Button, Copy, ShortId } from '@palyra/ui';
import { Answer } from '../../wire/answer.tsx';
import { useAct } from '../../wire/use-act.ts';
import { useAsk } from '../../wire/use-ask.ts';
import { OutputText } from '../call/output-text.tsx';
import { downloadFile } from '../download.ts';
import { ArtifactImage } from './artifact-image.tsx';
import { type Artifact, imageType, readPage, readWhole } from './read-artifact.ts';
import { textPage } from './text-page.ts';

/** What was kept: an image as that, everything else as text, page by page. */
export function ArtifactPages({ artifact }: { readonly artifact: Artifact }) {
  // Where each page begins, as far as one has gone.
  const [starts, setStarts] = useState<readonly number[]>([0]);
  const offset = starts.at(-1) ?? 0;
  const { sha256, bytes } = artifact;
  const page = useAsk(['runs', 'artifact', artifact.runId, sha256, offset], (signal) =>
    readPage(artifact, offset, signal),
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-soft">
        <span className="flex items-center gap-2">
          {byteWords(bytes)} <ShortId id={sha256} />
        </span>
        <Download artifact={artifact} />
      </div>
      <Answer of={page} lines={12}>
        {({ data, mediaType }) => {
          const { text, length } = textPage(data);
          const end = offset + length;
          if (imageType(mediaType) !== undefined) {
            return <ArtifactImage artifact={artifact} says="What was kept" />;
          }
          return (
            <>
              <OutputText label={`Bytes ${offset} to ${end}`} text={text} />
              <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
                <Button
                  size="small"
                  disabled={starts.length === 1}
                  onClick={() => setStarts(starts.slice(0, -1))}
                >
                  Before
                </Button>
                <span className="flex items-center gap-2 text-soft" aria-live="polite">
                  {offset.toLocaleString('en')} to {end.toLocaleString('en')} of{' '}
                  {bytes.toLocaleString('en')} bytes <Copy text={text} label="Copy this page" />
                </span>
                <Button
                  size="small"
                  disabled={length === 0 || end >= bytes}
                  onClick={() => setStarts([...starts, end])}
                >
                  After
                </Button>
              </div>
            </>
          );
        }}
      </Answer>
    </div>
  );
}

function Download({ artifact }: { readonly artifact: Artifact }) {
  const name = `artifact-${artifact.sha256.slice(0, 12)}.bin`;
  const loading = useAct({
    act: async () => {
      const whole = await readWhole(artifact, AbortSignal.timeout(PATIENCE_MS));
      return new Uint8Array(await whole.arrayBuffer());
    },
    changes: [],
    after: (bytes) => downloadFile({ name, mediaType: 'application/octet-stream', bytes }),
  });
  return (
    <Button size="small" isBusy={loading.isPending} onClick={() => loading.mutate()}>
      Download
    </Button>
  );
}

const PATIENCE_MS = 120_000;
