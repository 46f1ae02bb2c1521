import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { create } from '@bufbuild/protobuf';
import { type Bytes, type Signer, createIds, keyIdOf, systemClock } from '@palyra/kernel';
import {
  DecisionKind,
  ExecutionLimitsSchema,
  Executor,
  type ToolAttestation,
  ToolAttestationSchema,
  ToolOutcome,
} from '@palyra/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attestationBytes } from './attestation-bytes.ts';
import { type AttestationFacts, createAttestor } from './attestor.ts';
import { verifyAttestation } from './verify-attestation.ts';

const signer = ed25519Signer();
const attestor = createAttestor({ signer, ids: createIds(systemClock()) });

const REFUSED: AttestationFacts = {
  callId: '01ARYZ6S410000000000000001',
  runId: '01ARYZ6S410000000000000002',
  fingerprint: 'ab'.repeat(32),
  decision: DecisionKind.DENY,
  ruleIds: [],
  policySetHash: 'cd'.repeat(32),
  approvalId: '',
  outcome: ToolOutcome.REFUSED,
  executor: Executor.NONE,
  sandboxEnforcement: 'not executed',
  startedAt: '2030-01-02T03:04:05.678Z',
  endedAt: '2030-01-02T03:04:05.679Z',
  previousHash: '',
  exitSignal: '',
  egressHosts: [],
  egressHostsAreCut: false,
  output: new Uint8Array(),
};

const EXECUTED: AttestationFacts = {
  ...REFUSED,
  decision: DecisionKind.NEEDS_APPROVAL,
  ruleIds: ['rule-1', 'rule-2'],
  approvalId: '01ARYZ6S410000000000000003',
  outcome: ToolOutcome.SUCCEEDED,
  executor: Executor.SANDBOX_TIER_B_RLIMITS,
  sandboxEnforcement: 'no network, 64 MB',
  previousHash: 'ef'.repeat(32),
  exitCode: 0,
  limits: create(ExecutionLimitsSchema, { wallTimeLimitMs: 1_000, memoryLimitBytes: 64n }),
  egressHosts: ['api.example:443'],
  output: new TextEncoder().encode('abc'),
};

describe('an attestation', () => {
  it('carries the facts, an id, the digest of the output and the key that signs', () => {
    const attestation = attestor.attest(EXECUTED);
    const { output: _, ...facts } = EXECUTED;
    expect(attestation).toMatchObject(facts);
    expect(attestation.attestationId).toMatch(/^[0-7][0-9A-Z]{25}$/);
    expect(attestation.executionSha256).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(attestation.resultBytes).toBe(3);
    expect(attestation.keyId).toBe(keyIdOf(signer.publicKey));
    expect(attestation.signature).toHaveLength(64);
  });

  it('has the digest of the raw bytes, not of text made from them', () => {
    const output = new Uint8Array([0x00, 0xff, 0xfe, 0x80, 0x0a]);
    expect(attestor.attest({ ...EXECUTED, output })).toMatchObject({
      executionSha256: createHash('sha256').update(output).digest('hex'),
      resultBytes: 5,
    });
  });

  it('tells a program that ended with 0 from none at all', () => {
    const text = (facts: AttestationFacts) =>
      new TextDecoder().decode(attestationBytes(attestor.attest(facts)));
    expect(text(EXECUTED)).toContain('"exitCode":0');
    expect(text(REFUSED)).not.toContain('exitCode');
  });

  it('of a refused call has the digest of no bytes', () => {
    expect(attestor.attest(REFUSED)).toMatchObject({
      executionSha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      resultBytes: 0,
    });
  });

  it('has an id of its own each time', () => {
    const [first, second] = [attestor.attest(REFUSED), attestor.attest(REFUSED)];
    expect(second.attestationId > first.attestationId).toBe(true);
  });

  it('that could not be read the same way by everybody is not made', () => {
    expect(() => attestor.attest({ ...REFUSED, sandboxEnforcement: '\ud800' })).toThrow(TypeError);
  });
});

describe('the bytes that are signed', () => {
  it('are the canonical json of every field but the signature', () => {
    const attestation = attestor.attest(REFUSED);
    attestation.attestationId = 'a';
    attestation.keyId = 'k';
    expect(new TextDecoder().decode(attestationBytes(attestation))).toBe(
      '{"attestationId":"a","callId":"01ARYZ6S410000000000000001",' +
        '"decision":"DECISION_KIND_DENY","endedAt":"2030-01-02T03:04:05.679Z",' +
        '"executionSha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",' +
        '"executor":"EXECUTOR_NONE","fingerprint":"' +
        `${'ab'.repeat(32)}","format":"palyra.attestation.v1","keyId":"k","outcome":"TOOL_OUTCOME_REFUSED","policySetHash":"` +
        `${'cd'.repeat(32)}","runId":"01ARYZ6S410000000000000002",` +
        '"sandboxEnforcement":"not executed","startedAt":"2030-01-02T03:04:05.678Z"}',
    );
  });

  it('name their format, so that nothing else that the key signs can pass for them', async () => {
    const attestation = attestor.attest(REFUSED);
    expect(attestation.format).toBe('palyra.attestation.v1');
    const other = create(ToolAttestationSchema, { ...attestation, format: 'palyra.head.v1' });
    other.signature = signer.sign(attestationBytes(other));
    expect(await verifyAttestation(other, signer.publicKey)).toBe(false);
  });
});

describe('verification', () => {
  it.each([
    ['a refused', REFUSED],
    ['an executed', EXECUTED],
  ])('accepts %s call', async (_name, facts) => {
    expect(await verifyAttestation(attestor.attest(facts), signer.publicKey)).toBe(true);
  });

  it.each(ToolAttestationSchema.fields.map(({ localName }) => localName))(
    'fails once `%s` is changed',
    async (field) => {
      const attestation = attestor.attest(EXECUTED);
      const values = fc.oneof(
        fc.string(),
        fc.nat({ max: 0xff_ff_ff_ff }),
        fc.array(fc.string()),
        fc.uint8Array(),
        fc.boolean(),
        fc.nat().map((processes) => create(ExecutionLimitsSchema, { processes })),
      );
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const changed = change(attestation, field, value);
          fc.pre(changed !== undefined);
          expect(await verifyAttestation(changed, signer.publicKey)).toBe(false);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('fails when two fields swap their values', async () => {
    const attestation = attestor.attest(EXECUTED);
    const { callId, runId } = attestation;
    const swapped = { ...attestation, callId: runId, runId: callId };
    expect(await verifyAttestation(swapped, signer.publicKey)).toBe(false);
  });

  it('fails under another key, also when the attestation claims that one', async () => {
    const other = ed25519Signer();
    const attestation = attestor.attest(REFUSED);
    expect(await verifyAttestation(attestation, other.publicKey)).toBe(false);
    const claiming = { ...attestation, keyId: other.keyId };
    expect(await verifyAttestation(claiming, other.publicKey)).toBe(false);
  });

  it('fails when the attestation says more than was signed', async () => {
    const attestation = attestor.attest(REFUSED);
    const more = { ...attestation, $unknown: [{ no: 99, wireType: 0, data: new Uint8Array([1]) }] };
    expect(await verifyAttestation(more, signer.publicKey)).toBe(false);
  });

  it.each([
    ['an empty message', create(ToolAttestationSchema)],
    ['half a surrogate pair', { ...attestor.attest(REFUSED), callId: '\ud800' }],
    ['a number out of range', { ...attestor.attest(REFUSED), resultBytes: -1.5 }],
    ['a short signature', { ...attestor.attest(REFUSED), signature: new Uint8Array(3) }],
  ])('fails for %s without throwing', async (_name, attestation) => {
    expect(await verifyAttestation(attestation, signer.publicKey)).toBe(false);
  });
});

/** Undefined where the value is not of the field's kind, or is the one that it has already. */
function change(
  attestation: ToolAttestation,
  field: string,
  value: unknown,
): ToolAttestation | undefined {
  const present: unknown = Object.entries(attestation).find(([name]) => name === field)?.[1];
  const isSameKind =
    typeof value === typeof present &&
    Array.isArray(value) === Array.isArray(present) &&
    value instanceof Uint8Array === present instanceof Uint8Array;
  if (!isSameKind || isDeepStrictEqual(value, present)) return undefined;
  return { ...attestation, [field]: value };
}

function ed25519Signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw: Bytes = new Uint8Array(
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  return {
    keyId: keyIdOf(raw),
    publicKey: raw,
    sign: (bytes) => new Uint8Array(sign(undefined, bytes, privateKey)),
  };
}
