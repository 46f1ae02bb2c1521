import { describe, expect, it } from 'vitest';
import { utf8 } from './bytes.ts';
import { M, N, decodeScalar, encodePoint } from './group.ts';
import {
  confirmationsOf,
  keysOf,
  pointsOfProver,
  pointsOfVerifier,
  proverShare,
  transcriptOf,
  verifierOf,
  verifierShare,
} from './spake2plus.ts';

// RFC 9383, appendix C, the first set.
const setting = {
  context: utf8('SPAKE2+-P256-SHA256-HKDF-SHA256-HMAC-SHA256 Test Vectors'),
  idProver: utf8('client'),
  idVerifier: utf8('server'),
};
const w0 = scalar('bb8e1bbcf3c48f62c08db243652ae55d3e5586053fca77102994f23ad95491b3');
const w1 = scalar('7e945f34d78785b8a3ef44d0df5a1a97d6b3b460409a345ca7830387a74b1dba');
const x = scalar('d1232c8e8693d02368976c174e2088851b8365d0d79a9eee709c6a05a2fad539');
const y = scalar('717a72348a182085109c8d3917d6c43d59b224dc6a7fc4f0483232fa6516d8b3');
const SHARE_P =
  '04ef3bd051bf78a2234ec0df197f7828060fe9856503579bb1733009042c15c0c1de127727f418b5966afadfdd95a6e4591d171056b333dab97a79c7193e341727';
const SHARE_V =
  '04c0f65da0d11927bdf5d560c69e1d7d939a05b0e88291887d679fcadea75810fb5cc1ca7494db39e82ff2f50665255d76173e09986ab46742c798a9a68437b048';
const Z =
  '04bbfce7dd7f277819c8da21544afb7964705569bdf12fb92aa388059408d50091a0c5f1d3127f56813b5337f9e4e67e2ca633117a4fbd559946ab474356c41839';
const V =
  '0458bf27c6bca011c9ce1930e8984a797a3419797b936629a5a937cf2f11c8b9514b82b993da8a46e664f23db7c01edc87faa530db01c2ee405230b18997f16b68';
const shares = { prover: bytes(SHARE_P), verifier: bytes(SHARE_V) };
const keys = keysOf(transcriptOf(setting, shares, { w0, z: bytes(Z), v: bytes(V) }));

describe('the vectors of RFC 9383', () => {
  it('give the verifier of a password', () => {
    expect(encodePoint(verifierOf({ w0, w1 }).l).toHex()).toBe(
      '04eb7c9db3d9a9eb1f8adab81b5794c1f13ae3e225efbe91ea487425854c7fc00f00bfedcbd09b2400142d40a14f2064ef31dfaa903b91d1faea7093d835966efd',
    );
  });

  it('give the share of each side', () => {
    expect(proverShare(w0, x).toHex()).toBe(SHARE_P);
    expect(verifierShare(w0, y).toHex()).toBe(SHARE_V);
  });

  it('give the secret points of the prover', () => {
    const points = pointsOfProver({ w0, w1 }, x, shares.verifier);
    expect([points?.z.toHex(), points?.v.toHex()]).toStrictEqual([Z, V]);
  });

  it('give the same secret points to the verifier', () => {
    const points = pointsOfVerifier(verifierOf({ w0, w1 }), y, shares.prover);
    expect([points?.z.toHex(), points?.v.toHex()]).toStrictEqual([Z, V]);
  });

  it('give the transcript', () => {
    const transcript = transcriptOf(setting, shares, { w0, z: bytes(Z), v: bytes(V) }).toHex();
    expect(transcript.startsWith('38000000000000005350414b45322b2d503235362d534841323536')).toBe(
      true,
    );
    expect(transcript).toContain('0600000000000000636c69656e740600000000000000736572766572');
    expect(transcript.endsWith(`4100000000000000${V}2000000000000000${hex(w0)}`)).toBe(true);
  });

  it('give every key', () => {
    expect(keys.main.toHex()).toBe(
      '4c59e1ccf2cfb961aa31bd9434478a1089b56cd11542f53d3576fb6c2a438a29',
    );
    expect(keys.confirmProver.toHex()).toBe(
      '871ae3f7b78445e34438fb284504240239031c39d80ac23eb5ab9be5ad6db58a',
    );
    expect(keys.confirmVerifier.toHex()).toBe(
      'ccd53c7c1fa37b64a462b40db8be101cedcf838950162902054e644b400f1680',
    );
    expect(keys.shared.toHex()).toBe(
      '0c5f8ccd1413423a54f6c1fb26ff01534a87f893779c6e68666d772bfd91f3e7',
    );
  });

  it('give both confirmations', () => {
    const confirmations = confirmationsOf(keys, shares);
    expect(confirmations.prover.toHex()).toBe(
      '926cc713504b9b4d76c9162ded04b5493e89109f6d89462cd33adc46fda27527',
    );
    expect(confirmations.verifier.toHex()).toBe(
      '9747bcc4f8fe9f63defee53ac9b07876d907d55047e6ff2def2e7529089d3e68',
    );
  });
});

describe('a share that is made to give the identity', () => {
  it('is refused by the verifier', () => {
    const share = encodePoint(M.multiply(w0));
    expect(pointsOfVerifier(verifierOf({ w0, w1 }), y, share)).toBeUndefined();
  });

  it('is refused by the prover', () => {
    const share = encodePoint(N.multiply(w0));
    expect(pointsOfProver({ w0, w1 }, x, share)).toBeUndefined();
  });
});

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromHex(text);
}

function scalar(text: string): bigint {
  const value = decodeScalar(bytes(text));
  if (value === undefined) throw new Error('the vector is no scalar');
  return value;
}

function hex(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
