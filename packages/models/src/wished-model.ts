import { join } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import { replacePrivateFile } from '@palyra/private-files';
import { isSafeEnough } from './base-url.ts';
import { type KeyPlaces, checkKey, hasKey } from './keys.ts';
import type { ModelsSettings } from './models-section.ts';
import { keyWords } from './key-words.ts';
import { targetsOf } from './targets.ts';

/** The model that somebody wants to answer from now on. What is absent is as usual. */
export interface WishedModel {
  readonly provider: ModelsSettings['provider'];
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly api?: ModelsSettings['api'] | undefined;
  readonly keyEnv?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Keys of the section `models` and what they are to be. */
export type ModelEdits = Partial<
  Pick<ModelsSettings, 'provider' | 'model' | 'base_url' | 'api' | 'key_env' | 'key_file'>
>;

/**
 * Pure. What has to be written so that the wish holds: the address and the key of another provider
 * do not stay behind, but the same place keeps its key unless another one is named.
 */
export function editsFor(wish: WishedModel, now: ModelsSettings): ModelEdits {
  const { provider } = wish;
  if (provider === 'script') return { provider };
  const base_url = wish.baseUrl ?? '';
  const isSamePlace = provider === now.provider && base_url === now.base_url;
  const namesKey = wish.keyEnv !== undefined || wish.keyFile !== undefined;
  const key = isSamePlace && !namesKey ? now : { key_env: '', key_file: '' };
  return {
    provider,
    model: wish.model ?? '',
    base_url,
    api: wish.api ?? 'chat',
    key_env: wish.keyEnv ?? key.key_env,
    key_file: wish.keyFile ?? key.key_file,
  };
}

export interface CheckedModel {
  readonly name: string;
  /** In words; empty where there is to be no key. */
  readonly keySource: string;
  /** A variable need only be set where the daemon is started, so it may be missing here. */
  readonly hasKey: boolean;
}

/**
 * Whether a daemon with these settings would start and could ask the model. Contract: throws for
 * settings that do not fit and a key file that is none; sends nothing.
 */
export function checkModel(settings: ModelsSettings, places: KeyPlaces): CheckedModel {
  const { provider } = settings;
  if (provider === 'script') return { name: 'script', keySource: '', hasKey: false };
  const { name, keySource, baseUrl } = targetsOf(settings, provider).first;
  if (!isSafeEnough(baseUrl, settings.plain_text)) throw inPlainText(settings.base_url);
  return { name, keySource: keyWords(keySource), hasKey: hasKey(keySource, places) };
}

function inPlainText(url: string): PalyraError {
  return new PalyraError('CONFIG_INVALID', `${quote(url)} is another machine, without encryption`, {
    help: 'use `https`, or allow it with `palyra config set models.plain_text anywhere`',
  });
}

/** Where a key is put that came with the wish: a file that only its owner can use. */
export function storedKeyFile(folder: string, provider: ModelsSettings['provider']): string {
  return join(folder, `model-key-${provider}`);
}

/** Contract: throws CONFIG_INVALID for what is no key, which the error does not hold. */
export function storeKey(path: string, text: string): void {
  replacePrivateFile(path, `${checkKey(text, 'standard input')}\n`);
}
