import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { chainOf, makeSigner, time } from './chain.fixture.ts';
import { ExportWriter } from './export-writer.ts';
import { GENESIS_HASH } from './journal-entry.ts';
import { sha256, toHex } from './sha256.ts';

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

/** Lines of an export, in hex: what crosses into another world must be plain text. */
function exportedLines(): readonly string[] {
  const start = { exportedAt: time, previousHash: GENESIS_HASH, firstSequence: 1 };
  const writer = new ExportWriter(start, makeSigner());
  const entries = chainOf(3, () => ({}));
  for (const entry of entries) writer.add(sha256(entry));
  return [writer.header, ...entries, writer.trailer(undefined)].map(toHex);
}

it('an export is verified where there is nothing of Node', async () => {
  const bundle = await build({
    stdin: {
      contents: `
        import { fromHex, sha256, verifyExport } from '@palyra/kernel';
        async function* linesOf(hex) { for (const line of hex) yield fromHex(line); }
        export const verify = async (hex) => {
          const report = await verifyExport(linesOf(JSON.parse(hex)), { sha256 });
          return report.verdict === 'intact' ? 'intact ' + report.entries : 'broken at ' + report.fault.sequence;
        };`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'palyra',
  });
  const code = bundle.outputFiles[0]?.text ?? '';
  const verify = async (lines: readonly string[]): Promise<unknown> => {
    const window = createContext({ TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout });
    Object.assign(window, { hex: JSON.stringify(lines) });
    return await runInContext(`${code}; palyra.verify(hex)`, window);
  };
  const lines = exportedLines();
  expect(await verify(lines)).toBe('intact 3');
  expect(await verify(lines.toSpliced(2, 1))).toBe('broken at 2');
});
