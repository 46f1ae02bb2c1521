import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('pairing works where there is nothing of Node', async () => {
  const bundle = await build({
    stdin: {
      contents: `
        import { createProver, deriveVerifier, respond } from '@palyra/pake';
        export async function agree() {
          const context = new Uint8Array(3);
          const prover = await createProver({ password: '123456', context });
          const verifier = await deriveVerifier('123456');
          const answer = respond({ verifier, context, share: prover.share });
          const theirs = prover.finish(answer.share, answer.confirmation);
          const ours = answer.accept(theirs.confirmation);
          return ours.sharedKey.toHex() === theirs.sharedKey.toHex();
        }`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'palyra',
  });
  const code = bundle.outputFiles[0]?.text ?? '';
  expect(code).not.toMatch(/["']node:/);

  const window = createContext({ TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout });
  const agreed: unknown = await runInContext(`${code}; palyra.agree()`, window);
  expect(agreed).toBe(true);
});
