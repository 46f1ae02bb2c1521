import { Problem, Waiting } from '@palyra/ui';
import type { Artifact } from './read-artifact.ts';
import { useWhole } from './use-whole.ts';

export function ArtifactImage({ artifact, says }: { artifact: Artifact; says: string }) {
  const { url, error } = useWhole(artifact);
  if (error !== null) return <Problem reason={error} />;
  if (url === undefined) return <Waiting lines={6} />;
  return (
    <img
      src={url}
      alt={says}
      decoding="async"
      className="mx-auto max-h-[70vh] max-w-full rounded-lg border border-line object-contain"
    />
  );
}
