import { isSafeEnough, parseBaseUrl } from './base-url.ts';
import { parseFailover } from './failover-entry.ts';
import type { ModelsSettings } from './models-section.ts';

/** A key of the section `models` that can hold an address. */
type AddressKey = 'base_url' | 'failover' | 'choices';

/**
 * Pure. Keys with an address that no request would be sent to, by what `plain_text` says. Contract:
 * what is no address is left to the section, which refuses it.
 */
export function keysInPlainText(settings: ModelsSettings): readonly AddressKey[] {
  const addresses: Readonly<Record<AddressKey, readonly string[]>> = {
    base_url: [settings.base_url],
    failover: addressesIn(settings.failover),
    choices: addressesIn(settings.choices),
  };
  const keys = ['base_url', 'failover', 'choices'] as const;
  return keys.filter((key) =>
    addresses[key].some((text) => {
      const url = parseBaseUrl(text);
      return url !== undefined && !isSafeEnough(url, settings.plain_text);
    }),
  );
}

function addressesIn(models: readonly string[]): readonly string[] {
  return models.flatMap((text) => parseFailover(text)?.baseUrl ?? []);
}
