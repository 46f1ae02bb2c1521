import { useEffect, useRef, useState } from 'react';
import { PalyraError } from '@palyra/kernel';
import type { ExportLine } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';
import { type Proof, verifyLines } from './verify-lines.ts';
import { whenFree } from './when-free.ts';

/** What is verified: entries of a range, whose ends may be open, or those of one run. */
export interface VerifyScope {
  readonly from?: bigint;
  readonly to?: bigint;
  readonly run?: string;
  /** The bytes that must stand at its beginning. */
  readonly first?: Uint8Array;
}

export type VerificationState =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly entries: number }
  | { readonly at: 'done'; readonly proof: Proof }
  | { readonly at: 'failed'; readonly reason: unknown };

export interface Verification {
  readonly state: VerificationState;
  readonly start: (scope: VerifyScope) => void;
  readonly stop: () => void;
}

/** Reads raw bytes from the gateway and judges them here. Ends when what shows it goes. */
export function useVerification(): Verification {
  const [state, setState] = useState<VerificationState>({ at: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = (scope: VerifyScope) => {
    running.current?.abort();
    const ending = new AbortController();
    running.current = ending;
    const tell = (next: VerificationState) => {
      if (!ending.signal.aborted) setState(next);
    };
    tell({ at: 'running', entries: 0 });
    verify(scope, { signal: ending.signal, tell }).catch((reason: unknown) =>
      tell({ at: 'failed', reason }),
    );
  };
  const stop = () => {
    running.current?.abort();
    setState({ at: 'idle' });
  };
  return { state, start, stop };
}

interface Listener {
  readonly signal: AbortSignal;
  readonly tell: (state: VerificationState) => void;
}

async function verify(scope: VerifyScope, { signal, tell }: Listener): Promise<void> {
  await assertSignaturesWork();
  const { from = 0n, to = 0n, run = '', first } = scope;
  const request = { fromSequence: from, toSequence: to, runId: run };
  const ask = () => gateway.journal.exportJournal(request, { signal });
  const lines = bytesOf(whenFree(ask, signal));
  const onProgress = (entries: number) => tell({ at: 'running', entries });
  tell({ at: 'done', proof: await verifyLines(lines, { first, onProgress }) });
}

async function* bytesOf(lines: AsyncIterable<ExportLine>): AsyncGenerator<Uint8Array> {
  for await (const { line } of lines) yield line;
}

/** Without this an old browser would call a good journal forged. */
async function assertSignaturesWork(): Promise<void> {
  try {
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  } catch (cause) {
    throw new PalyraError('WRONG_RUNTIME', 'this browser cannot check Ed25519 signatures', {
      help: 'take a newer browser, or run `palyra journal verify` where the gateway runs',
      cause,
    });
  }
}
