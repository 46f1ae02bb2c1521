import { create } from '@bufbuild/protobuf';
import { type Bytes, type Ids, PalyraError, type Signer, sha256Hex } from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';
import { ATTESTATION_FORMAT, attestationBytes } from './attestation-bytes.ts';
import { sealEnvelope } from './envelope.ts';
import { verifyAttestation } from './verify-attestation.ts';

/** What the gateway knows about a call that has ended, executed or not. */
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
> & {
  /** The raw output; no bytes for a call that was not executed. */
  readonly output: Bytes;
};

export interface Attestor {
  /** Contract: throws when a fact cannot be written exactly, or the key cannot sign. */
  attest(facts: AttestationFacts): ToolAttestation;
  /**
   * One of ours as a DSSE envelope that other tools can check.
   * Contract: rejects with JOURNAL_CORRUPT for one that this key did not sign.
   */
  envelope(attestation: ToolAttestation): Promise<Bytes>;
}

export function createAttestor({
  signer,
  ids,
}: {
  readonly signer: Signer;
  readonly ids: Ids;
}): Attestor {
  return {
    attest({ output, ...facts }) {
      const attestation = create(ToolAttestationSchema, {
        ...facts,
        format: ATTESTATION_FORMAT,
        attestationId: ids.next<'attestation'>(),
        executionSha256: sha256Hex(output),
        resultBytes: output.length,
        keyId: signer.keyId,
      });
      attestation.signature = signer.sign(attestationBytes(attestation));
      return attestation;
    },
    async envelope(attestation) {
      if (await verifyAttestation(attestation, signer.publicKey)) {
        return sealEnvelope(attestation, signer);
      }
      throw new PalyraError(
        'JOURNAL_CORRUPT',
        'the attestation of the call is not signed by the key of this gateway',
      );
    },
  };
}
