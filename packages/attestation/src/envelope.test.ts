import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { type Bytes, type Signer, createIds, keyIdOf, systemClock } from '@palyra/kernel';
import { DecisionKind, Executor, type ToolAttestation, ToolOutcome } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { attestationBytes } from './attestation-bytes.ts';
import { createAttestor } from './attestor.ts';
import { sealEnvelope } from './envelope.ts';
import { verifyEnvelope } from './verify-envelope.ts';

const GOLDEN_STATEMENT =
  '{"_type":"https://in-toto.io/Statement/v1","predicate":{"attestation":{' +
  '"approvalId":"01ARYZ6S410000000000000003","attestationId":"01ARYZ6S410000000000000004",' +
  '"callId":"01ARYZ6S410000000000000001","decision":"DECISION_KIND_NEEDS_APPROVAL",' +
  '"endedAt":"2030-01-02T03:04:05.679Z",' +
  '"executionSha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",' +
  '"executor":"EXECUTOR_SANDBOX_TIER_B_RLIMITS",' +
  `"fingerprint":"${'ab'.repeat(32)}","format":"palyra.attestation.v1",` +
  '"keyId":"fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889",' +
  `"outcome":"TOOL_OUTCOME_SUCCEEDED","policySetHash":"${'cd'.repeat(32)}",` +
  '"resultBytes":3,"ruleIds":["rule-1","rule-2"],"runId":"01ARYZ6S410000000000000002",' +
  '"sandboxEnforcement":"no network, 64 MB","signature":' +
  '"iqQluvyrVTr2f/6NtLBwmncUKhRPlQ0P8Pgofh9D3T/PCZNefFAAQ3xiy1wbe4xK70tj9herNGw3cu4tp9oXAA==",' +
  '"startedAt":"2030-01-02T03:04:05.678Z"},' +
  '"publicKey":"6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="},' +
  '"predicateType":"urn:palyra:tool-call:v1","subject":[{"digest":{' +
  `"sha256":"${'ab'.repeat(32)}"},"name":"palyra:call:01ARYZ6S410000000000000001:proposal"},` +
  '{"digest":{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},' +
  '"name":"palyra:call:01ARYZ6S410000000000000001:output"}]}';
const GOLDEN_KEY_ID = 'fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889';
const GOLDEN_SIGNATURE =
  'z4fph1+XtG4lIeoorTIGth95lMsrQGofZ3iYB0jRoc8G2IjhXT3BwtwJNkluzsQ5puD8l3aH1ZzuowS8zgSiBQ==';

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.concat([PKCS8, Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const PUBLIC_KEY = createPublicKey(PRIVATE_KEY);

const bytesOf = (value: string): Bytes => new TextEncoder().encode(value);
const signer = signerOf(PRIVATE_KEY, PUBLIC_KEY);
const attestation = goldenAttestation(signer);
const sealed = sealEnvelope(attestation, signer);
const text = new TextDecoder().decode(sealed);

describe('an envelope', () => {
  it('is this, byte by byte', () => {
    expect(JSON.parse(text)).toEqual({
      payload: Buffer.from(GOLDEN_STATEMENT).toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
      signatures: [{ keyid: GOLDEN_KEY_ID, sig: GOLDEN_SIGNATURE }],
    });
    expect(text).toMatch(/^\{"payload":"[^"]+","payloadType":"[^"]+","signatures":\[\{"keyid":/);
  });

  it('can be checked by whoever knows DSSE and nothing of ours', () => {
    const payload = Buffer.from(GOLDEN_STATEMENT);
    const signed = Buffer.concat([
      Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `),
      payload,
    ]);
    const signature = Buffer.from(GOLDEN_SIGNATURE, 'base64');
    expect(verify(undefined, signed, PUBLIC_KEY, signature)).toBe(true);
  });

  it('verifies with the key, and with the one that it names itself', async () => {
    const verified = { verdict: 'verified', keyId: GOLDEN_KEY_ID, attestation };
    expect(await verifyEnvelope(sealed, signer.publicKey)).toEqual(verified);
    expect(await verifyEnvelope(sealed)).toEqual(verified);
  });

  it('may be laid out in another way: only the payload is signed', async () => {
    const pretty = bytesOf(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
    expect(await verifyEnvelope(pretty)).toMatchObject({ verdict: 'verified' });
  });

  it('is made only of an attestation that the key signed', async () => {
    const attestor = createAttestor({ signer, ids: createIds(systemClock()) });
    expect(await attestor.envelope(attestation)).toEqual(sealed);
    const forged = { ...attestation, decision: DecisionKind.ALLOW };
    await expect(attestor.envelope(forged)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  });
});

describe('an envelope does not verify', () => {
  it('with any of its bytes changed', async () => {
    const passed: number[] = [];
    for (const place of sealed.keys()) {
      const changed = new Uint8Array(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const { verdict } = await verifyEnvelope(changed, signer.publicKey);
      if (verdict === 'verified') passed.push(place);
    }
    expect(passed).toEqual([]);
  });

  it('with any byte of its statement changed', async () => {
    const statement = bytesOf(GOLDEN_STATEMENT);
    const passed: number[] = [];
    for (const place of statement.keys()) {
      const changed = new Uint8Array(statement);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const { verdict } = await verifyEnvelope(around(changed, GOLDEN_SIGNATURE));
      if (verdict === 'verified') passed.push(place);
    }
    expect(passed).toEqual([]);
  });

  it('with any byte missing at its end', async () => {
    for (const end of [0, 1, 100, sealed.length - 1]) {
      expect(await verifyEnvelope(sealed.slice(0, end))).toMatchObject({ verdict: 'broken' });
    }
  });

  it('with another key, also when it claims that one', async () => {
    const other = freshSigner();
    const claiming = bytesOf(text.replace(GOLDEN_KEY_ID, other.keyId));
    expect(await verifyEnvelope(sealed, other.publicKey)).toMatchObject({ verdict: 'broken' });
    expect(await verifyEnvelope(claiming, other.publicKey)).toEqual({
      verdict: 'broken',
      reason: 'the envelope is not signed by this key',
    });
  });

  it('when another key vouches for an attestation of ours', async () => {
    const other = freshSigner();
    expect(await verifyEnvelope(sealEnvelope(attestation, other))).toEqual({
      verdict: 'broken',
      reason: 'the attestation in it is not signed by this key',
    });
  });

  it.each([
    ['a subject', '"subject":[', '"subject":[{"digest":{"sha256":"00"},"name":"x"},'],
    ['a predicate type', 'urn:palyra:tool-call:v1', 'urn:palyra:tool-call:v2'],
    ['a statement type', 'in-toto.io/Statement/v1', 'in-toto.io/Statement/v2'],
    ['a field beside the attestation', '"publicKey":', '"note":"x","publicKey":'],
    ['no statement type', '"_type":"https://in-toto.io/Statement/v1",', ''],
  ])('with %s that the attestation does not say, even signed', async (_name, from, to) => {
    const statement = GOLDEN_STATEMENT.replace(from, to);
    expect(statement).not.toBe(GOLDEN_STATEMENT);
    expect(await verifyEnvelope(signedAround(bytesOf(statement)))).toMatchObject({
      verdict: 'broken',
    });
  });

  it.each([
    ['of its own', text.replace('{', '{"payload":"AAAA",')],
    ['in another spelling', text.replace('{', '{"\\u0070ayload":"AAAA",')],
    ['of its signature', text.replace('"keyid"', '"sig":"AAAA","keyid"')],
  ])('with a key twice: %s', async (_name, twice) => {
    expect(JSON.parse(twice)).toEqual(JSON.parse(text));
    expect(await verifyEnvelope(bytesOf(twice))).toMatchObject({ verdict: 'broken' });
  });

  it.each([
    ['a second signature', text.replace('"signatures":[', '"signatures":[{"keyid":"","sig":""},')],
    ['no signature', text.replace(/"signatures":\[.*\]/, '"signatures":[]')],
    ['a field of nobody', text.replace('{', '{"note":"x",')],
    ['another payload type', text.replace('vnd.in-toto+json', 'json')],
    ['other words', 'not json'],
    ['nothing but a list', '[]'],
    ['more than can be one', `${text}${' '.repeat(70_000)}`],
  ])('with %s', async (_name, changed) => {
    expect(await verifyEnvelope(bytesOf(changed))).toMatchObject({ verdict: 'broken' });
  });
});

describe('a signature of another kind', () => {
  const statement = bytesOf(GOLDEN_STATEMENT);
  const kinds: readonly (readonly [string, Uint8Array])[] = [
    ['the attestation', attestationBytes(attestation)],
    ['the bare statement', statement],
    ['an envelope', sealed],
    ['another payload type', pae('application/json', statement)],
    ['an older encoding', Buffer.concat([Buffer.from('DSSEv0 '), statement])],
    ['nothing', new Uint8Array()],
  ];

  it.each(kinds)('over %s never passes for one of an envelope', async (_name, signed) => {
    const signature = Buffer.from(signer.sign(signed)).toString('base64');
    expect(await verifyEnvelope(around(statement, signature))).toEqual({
      verdict: 'broken',
      reason: 'the envelope is not signed by this key',
    });
  });

  it('over an envelope never passes for one of an attestation', async () => {
    const signature = new Uint8Array(Buffer.from(GOLDEN_SIGNATURE, 'base64'));
    const wrong = sealEnvelope({ ...attestation, signature }, signer);
    expect(await verifyEnvelope(wrong)).toEqual({
      verdict: 'broken',
      reason: 'the attestation in it is not signed by this key',
    });
  });
});

function around(payload: Uint8Array, signature: string): Bytes {
  return bytesOf(
    JSON.stringify({
      payload: Buffer.from(payload).toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
      signatures: [{ keyid: GOLDEN_KEY_ID, sig: signature }],
    }),
  );
}

function signedAround(payload: Uint8Array): Bytes {
  const signature = signer.sign(pae('application/vnd.in-toto+json', payload));
  return around(payload, Buffer.from(signature).toString('base64'));
}

function pae(type: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `),
    Buffer.from(payload),
  ]);
}

function goldenAttestation(by: Signer): ToolAttestation {
  const made = createAttestor({ signer: by, ids: createIds(systemClock()) }).attest({
    callId: '01ARYZ6S410000000000000001',
    runId: '01ARYZ6S410000000000000002',
    fingerprint: 'ab'.repeat(32),
    decision: DecisionKind.NEEDS_APPROVAL,
    ruleIds: ['rule-1', 'rule-2'],
    policySetHash: 'cd'.repeat(32),
    approvalId: '01ARYZ6S410000000000000003',
    outcome: ToolOutcome.SUCCEEDED,
    executor: Executor.SANDBOX_TIER_B_RLIMITS,
    sandboxEnforcement: 'no network, 64 MB',
    startedAt: '2030-01-02T03:04:05.678Z',
    endedAt: '2030-01-02T03:04:05.679Z',
    previousHash: '',
    exitSignal: '',
    egressHosts: [],
    egressHostsAreCut: false,
    output: bytesOf('abc'),
  });
  const fixed = { ...made, attestationId: '01ARYZ6S410000000000000004' };
  return { ...fixed, signature: by.sign(attestationBytes(fixed)) };
}

function freshSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return signerOf(privateKey, publicKey);
}

function signerOf(privateKey: typeof PRIVATE_KEY, publicKey: typeof PUBLIC_KEY): Signer {
  const raw: Bytes = new Uint8Array(
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  return {
    keyId: keyIdOf(raw),
    publicKey: raw,
    sign: (bytes) => new Uint8Array(sign(undefined, bytes, privateKey)),
  };
}
