import { PalyraError } from '@palyra/kernel';
import { anthropic } from './anthropic/provider.ts';
import { parseBaseUrl } from './base-url.ts';
import { type FailoverEntry, type ProviderName, parseFailover } from './failover-entry.ts';
import { google } from './google/provider.ts';
import type { KeySource } from './keys.ts';
import { isModelName } from './model-name.ts';
import type { ModelsSettings } from './models-section.ts';
import { openaiChat } from './openai-chat/provider.ts';
import { openaiResponses } from './openai-responses/provider.ts';
import { parsePrice } from './price-entry.ts';
import type { Prices } from './price.ts';
import type { Reasoning, Wire } from './wire.ts';

/** One model at one place, and all that is needed to speak to it but the key itself. */
export interface Target {
  /** For people: `openai:gpt-5`. */
  readonly name: string;
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: URL;
  /** Of openai; the others have one. */
  readonly api: ModelsSettings['api'];
  readonly wire: Wire;
  readonly keySource: KeySource;
  readonly prices: Prices | undefined;
  readonly reasoning: Reasoning;
}

export interface Targets {
  readonly first: Target;
  /** Asked in this order when the one that was chosen fails. */
  readonly failover: readonly Target[];
  /** What a run may ask for beside the first. */
  readonly choices: readonly Target[];
}

interface Usual {
  readonly baseUrl: string;
  readonly keyEnv: string;
}

const USUAL: Readonly<Record<ProviderName, Usual>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', keyEnv: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com', keyEnv: 'ANTHROPIC_API_KEY' },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyEnv: 'GEMINI_API_KEY',
  },
};

/** Pure. Contract: throws for settings that do not fit. */
export function targetsOf(settings: ModelsSettings, provider: ProviderName): Targets {
  const first = firstTarget(settings, provider);
  const named = (key: 'failover' | 'choices') =>
    settings[key].map((text, place) => {
      const entry = parseFailover(text);
      if (entry !== undefined) return otherTarget(entry, settings, { provider, first });
      const message = `item \`${place}\` of \`models.${key}\` names no model`;
      throw new PalyraError('CONFIG_INVALID', message);
    });
  return { first, failover: named('failover'), choices: named('choices') };
}

function firstTarget(settings: ModelsSettings, provider: ProviderName): Target {
  if (settings.model === '') {
    throw new PalyraError('CONFIG_INVALID', '`models.model` is empty', {
      help: "set it to the provider's name for the model",
    });
  }
  if (!isModelName(settings.model)) {
    throw new PalyraError(
      'CONFIG_INVALID',
      '`models.model` holds a character that nobody can see',
      {
        help: "write the provider's name for the model alone, on one line",
      },
    );
  }
  const name = `${provider}:${settings.model}`;
  return {
    name,
    provider,
    model: settings.model,
    baseUrl: urlOf(settings.base_url === '' ? USUAL[provider].baseUrl : settings.base_url),
    api: settings.api,
    wire: wireOf(provider, settings.api),
    keySource: keyOf(settings, provider),
    prices: pricesOf(name, settings),
    reasoning: { effort: settings.reasoning, tokens: settings.reasoning_tokens },
  };
}

function keyOf(settings: ModelsSettings, provider: ProviderName): KeySource {
  const { key_env: name, key_file: path } = settings;
  if (name !== '' && path !== '') {
    throw new PalyraError(
      'CONFIG_CONTRADICTION',
      '`models.key_env` and `models.key_file` both say where the key is',
      { help: 'unset one of them' },
    );
  }
  if (path !== '') return { kind: 'file', path };
  if (name !== '') return { kind: 'environment', name };
  return usualKey(provider, settings.base_url);
}

/** The key of the provider never goes to another address unless somebody says that it shall. */
function usualKey(provider: ProviderName, baseUrl: string): KeySource {
  const isOwn = baseUrl === '' || urlOf(baseUrl).origin === urlOf(USUAL[provider].baseUrl).origin;
  return isOwn ? { kind: 'environment', name: USUAL[provider].keyEnv } : { kind: 'none' };
}

/** The same provider without an address of its own is the same server, with the same key. */
function otherTarget(
  { provider, model, baseUrl, keyEnv, api: ownApi }: FailoverEntry,
  settings: ModelsSettings,
  main: { readonly provider: ProviderName; readonly first: Target },
): Target {
  const name = `${provider}:${model}`;
  const api = ownApi ?? settings.api;
  const spoken = { api, wire: wireOf(provider, api) };
  const named =
    keyEnv === undefined ? {} : { keySource: { kind: 'environment', name: keyEnv } as const };
  if (provider === main.provider && baseUrl === undefined) {
    const prices = pricesOf(name, settings);
    return { ...main.first, name, model, prices, ...spoken, ...named };
  }
  return {
    name,
    provider,
    model,
    baseUrl: urlOf(baseUrl ?? USUAL[provider].baseUrl),
    ...spoken,
    keySource: usualKey(provider, baseUrl ?? ''),
    prices: pricesOf(name, settings),
    reasoning: main.first.reasoning,
    ...named,
  };
}

function wireOf(provider: ProviderName, api: ModelsSettings['api']): Wire {
  switch (provider) {
    case 'openai':
      return api === 'chat' ? openaiChat : openaiResponses;
    case 'anthropic':
      return anthropic;
    case 'google':
      return google;
  }
}

function pricesOf(name: string, { prices }: ModelsSettings): Prices | undefined {
  return prices.map(parsePrice).findLast((entry) => entry?.name === name)?.prices;
}

/** What it throws never holds the address: what makes it none is often a password. */
function urlOf(text: string): URL {
  const url = parseBaseUrl(text);
  if (url !== undefined) return url;
  throw new PalyraError('CONFIG_INVALID', 'the address of the model is no base URL', {
    help: 'write scheme, host and path alone, such as `https://api.example/v1`; a key is named by `models.key_env` or `models.key_file`',
  });
}
