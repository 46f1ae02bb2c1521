import type { Bytes } from '@palyra/kernel';
import type { ToolAttestation } from '@palyra/protocol';

export interface AttestorPort {
  /** Adds id, key and signature. */
  attest(facts: AttestationFacts): ToolAttestation;
  /**
   * One of ours as a DSSE envelope that other tools can check.
   * Contract: rejects with JOURNAL_CORRUPT for one that our key did not sign.
   */
  envelope(attestation: ToolAttestation): Promise<Bytes>;
}

export type AttestationFacts = Pick<
  ToolAttestation,
  | 'callId'
  | 'runId'
  | 'fingerprint'
  | 'decision'
  | 'ruleIds'
  | 'policySetHash'
  | 'approvalId'
  | 'outcome'
  | 'executor'
  | 'sandboxEnforcement'
  | 'startedAt'
  | 'endedAt'
  | 'previousHash'
  | 'exitCode'
  | 'exitSignal'
  | 'limits'
  | 'egressHosts'
  | 'egressHostsAreCut'
> & { readonly output: Bytes };
