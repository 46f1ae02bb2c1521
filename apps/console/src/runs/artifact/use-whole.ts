import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type Artifact, readWhole } from './read-artifact.ts';

/** All of it, read once: a hash never means anything else later. */
export function useWhole(artifact: Artifact) {
  const { data, error } = useQuery({
    queryKey: ['runs', 'artifact', artifact.runId, artifact.sha256],
    staleTime: 'static',
    gcTime: 60_000,
    queryFn: ({ signal }) => readWhole(artifact, signal),
  });
  return { url: useUrl(data), error };
}

/** Contract: given back when nobody shows it any more. */
function useUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
