import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Everything else depends on the kernel, so it grows by decision and not by habit. */
const FILES = [
  'address-range.ts',
  'cage-words.ts',
  'canonical-json.ts',
  'clock.ts',
  'console-proof.ts',
  'duplicate-keys.ts',
  'errors.ts',
  'export-frame.ts',
  'export-verifier.ts',
  'export-writer.ts',
  'folder-gone.ts',
  'hide-secrets.ts',
  'ids.ts',
  'index.ts',
  'journal-chain.ts',
  'journal-entry.ts',
  'journal-kinds.ts',
  'line-diff.ts',
  'log.ts',
  'loop-share.ts',
  'permissions.ts',
  'places.ts',
  'redaction.ts',
  'secret-shapes.ts',
  'secret-words.ts',
  'seen-lines.ts',
  'sha256.ts',
  'signature.ts',
  'slots.ts',
  'text-hunks.ts',
  'turns.ts',
  'url-escapes.ts',
  'visible-text.ts',
  'voices.ts',
  'workspace.ts',
];

it('the kernel consists of these files', () => {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => !/\.(?:test|fixture)\.ts$/.test(name),
  );
  expect(files.toSorted()).toEqual(FILES);
});
