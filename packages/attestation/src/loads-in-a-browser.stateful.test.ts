import { generateKeyPairSync, sign } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import { create, toJson } from '@bufbuild/protobuf';
import { type Bytes, keyIdOf } from '@palyra/kernel';
import { ToolAttestationSchema } from '@palyra/protocol';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { attestationBytes } from './attestation-bytes.ts';

it('an attestation can be checked where there is nothing of Node', async () => {
  const code = await bundleForBrowser();
  expect(code).not.toMatch(/["']node:/);

  const { publicKey, json } = signedAttestation();
  const window = createContext({ TextEncoder, TextDecoder, crypto, atob, publicKey });
  const check = (text: string) =>
    runInContext(`${code}; palyra.check(${text}, new Uint8Array(publicKey))`, window);
  expect(await check(json)).toBe(true);
  expect(await check(json.replace('run-1', 'run-2'))).toBe(false);
});

async function bundleForBrowser(): Promise<string> {
  const bundle = await build({
    stdin: {
      contents: `
        import { fromJson } from '@bufbuild/protobuf';
        import { ToolAttestationSchema } from '@palyra/protocol';
        import { verifyAttestation } from './index.ts';
        export const check = (json, publicKey) =>
          verifyAttestation(fromJson(ToolAttestationSchema, json), publicKey);`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'palyra',
  });
  return bundle.outputFiles[0]?.text ?? '';
}

function signedAttestation(): { publicKey: Bytes; json: string } {
  const pair = generateKeyPairSync('ed25519');
  const spki = pair.publicKey.export({ format: 'der', type: 'spki' });
  const publicKey: Bytes = new Uint8Array(spki.subarray(-32));
  const attestation = create(ToolAttestationSchema, {
    format: 'palyra.attestation.v1',
    runId: 'run-1',
    keyId: keyIdOf(publicKey),
  });
  attestation.signature = new Uint8Array(
    sign(undefined, attestationBytes(attestation), pair.privateKey),
  );
  return { publicKey, json: JSON.stringify(toJson(ToolAttestationSchema, attestation)) };
}
