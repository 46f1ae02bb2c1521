import { UsageError } from './usage-error.ts';

/** Contract: throws for text that is no key id. */
export function keyIdOption(text: string): string {
  const keyId = text.toLowerCase();
  if (/^[0-9a-f]{64}$/.test(keyId)) return keyId;
  throw new UsageError(
    '`--key` takes the 64 hex digits of a key id',
    'an earlier verify shows them',
  );
}
