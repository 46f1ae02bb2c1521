import type { ChainFault, ChainPoint, VerifyReport } from '@palyra/kernel';

export type Intact = Extract<VerifyReport, { verdict: 'intact' }>;

export function intact(start: ChainPoint, end: ChainPoint, keyId: string): Intact {
  const entries = end.sequence - start.sequence;
  return {
    verdict: 'intact',
    entries,
    firstSequence: entries === 0 ? 0 : start.sequence + 1,
    lastSequence: entries === 0 ? 0 : end.sequence,
    previousHash: start.hash,
    headHash: end.hash,
    keyId,
  };
}

export function broken(fault: ChainFault, entries: number): VerifyReport {
  return { verdict: 'broken', fault, entries };
}
