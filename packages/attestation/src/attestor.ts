import { create } from '@bufbuild/protobuf';
import { type Bytes, type Ids, type Signer, sha256Hex } from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';
import { ATTESTATION_FORMAT, attestationBytes } from './attestation-bytes.ts';

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
> & {
  /** The raw output; no bytes for a call that was not executed. */
  readonly output: Bytes;
};

export interface Attestor {
  /** Contract: throws when a fact cannot be written exactly, or the key cannot sign. */
  attest(facts: AttestationFacts): ToolAttestation;
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
  };
}
