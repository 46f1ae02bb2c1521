import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the kernel loads where there is nothing of Node', async () => {
  const bundle = await build({
    stdin: {
      contents: `
        import { canonicalBytes, createIds, quote, redactText, sha256Hex, systemClock } from '@palyra/kernel';
        export const answer = [
          sha256Hex(canonicalBytes({ b: 1, a: [] })),
          createIds(systemClock()).next().length,
          quote('\\u202e'),
          redactText('password=x'),
        ];`,
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
  const answer: unknown = runInContext(`${code}; JSON.stringify(palyra.answer)`, window);
  expect(answer).toBe(
    JSON.stringify([
      '1c8f8816506a8ccbc55140d8a7bb70214a8942c7030fc0fc2914cec675cd1c15',
      26,
      '`\\u{202e}`',
      'password=[redacted]',
    ]),
  );
});
