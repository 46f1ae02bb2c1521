import { useEffect, useState } from 'react';
import type { Pairing } from '@palyra/protocol';
import { useToasts } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { forgetAnswers } from '../wire/query.ts';
import { hear } from '../wire/stream.ts';

/** A pairing as it goes on, as long as somebody looks. */
export function usePairing(started: Pairing | undefined): Pairing | undefined {
  const [pairing, setPairing] = useState(started);
  const toasts = useToasts();
  const pairingId = started?.pairingId ?? '';
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    hear({
      open: (opening) => gateway.pairing.watchPairing({ pairingId }, { signal: opening }),
      onMessage({ pairing: next }) {
        setPairing(next);
        forgetAnswers('devices');
      },
      signal,
    }).catch((reason: unknown) => toasts.tellProblem(reason));
    return () => ending.abort();
  }, [pairingId, toasts]);
  return pairing;
}
