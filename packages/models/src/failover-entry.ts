import { parseBaseUrl } from './base-url.ts';
import { isModelName } from './model-name.ts';

export type ProviderName = 'openai' | 'anthropic' | 'google';

/** One model of `models.failover`. What is absent is as for the first model, or as usual. */
export interface FailoverEntry {
  readonly provider: ProviderName;
  readonly model: string;
  readonly api?: 'chat' | 'responses';
  readonly baseUrl?: string;
  readonly keyEnv?: string;
}

export const MAX_FAILOVER = 8;
export const MAX_FAILOVER_LENGTH = 2560;

const ENTRY =
  /^(?<provider>openai|anthropic|google)(?:(?<=openai)\+(?<api>chat|responses))?:(?<model>[^\s#]{1,256}?)(?:@(?<baseUrl>https?:\/\/[^\s#]+))?(?:#(?<keyEnv>[A-Za-z_][A-Za-z0-9_]{0,127}))?$/;

/** `openai:qwen3:8b@http://127.0.0.1:11434/v1#LOCAL_KEY`, `openai+responses:gpt-5`. Contract: `undefined` for anything else. */
export function parseFailover(text: string): FailoverEntry | undefined {
  if (text.length > MAX_FAILOVER_LENGTH) return undefined;
  const { provider, api, model, baseUrl, keyEnv } = ENTRY.exec(text)?.groups ?? {};
  if (!isProviderName(provider) || model === undefined || !isModelName(model)) return undefined;
  if (baseUrl !== undefined && parseBaseUrl(baseUrl) === undefined) return undefined;
  return {
    provider,
    model,
    ...(api === 'chat' || api === 'responses' ? { api } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyEnv === undefined ? {} : { keyEnv }),
  };
}

function isProviderName(text: string | undefined): text is ProviderName {
  return text === 'openai' || text === 'anthropic' || text === 'google';
}
