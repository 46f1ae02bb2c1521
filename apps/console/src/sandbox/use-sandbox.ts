import { useEffect } from 'react';
import type { GetSandboxResponse } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';
import { queries } from '../wire/query.ts';
import { shareStream } from '../wire/share-stream.ts';
import { useAsk } from '../wire/use-ask.ts';

/** The sandboxes as they are, told anew whenever that changes, while somebody looks. */
export function useSandbox() {
  const sandbox = useAsk(['sandbox'], (signal) => gateway.sandbox.getSandbox({}, { signal }));
  const { refetch } = sandbox;
  useEffect(() => {
    const leaving = new AbortController();
    void shareStream({
      name: 'palyra.sandbox',
      open: (signal) => gateway.sandbox.watchSandbox({}, { signal }),
      onMessage: ({ sandbox: seen }) =>
        queries.setQueryData<GetSandboxResponse>(['sandbox'], (old) =>
          old === undefined || seen === undefined ? old : { ...old, sandbox: seen },
        ),
      signal: leaving.signal,
      // Asked instead: what does not get better is told by the page itself.
    }).catch(() => void refetch());
    return () => leaving.abort();
  }, [refetch]);
  return sandbox;
}
