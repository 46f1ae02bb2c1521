import { PalyraError, quote } from '@palyra/kernel';
import { attempt } from './attempt.ts';
import type { Breaker } from './breaker.ts';
import { under } from './base-url.ts';
import { ModelFailure } from './failure.ts';
import { exchange } from './http.ts';
import { parseJson } from './json-view.ts';
import { KeyMask } from './key-mask.ts';
import { keyWords } from './key-words.ts';
import { type LineUp, allLines, findLine, nameOf } from './line-up.ts';
import type { Line } from './line.ts';
import type { SaidEvent, ModelRequest } from './model-port.ts';
import type { ScriptModel } from './script/script-model.ts';

/** What people ask about models. It fits the gateway's port in shape. */
export interface ModelDesk {
  /** Contract: at hand; nobody is asked for it. */
  list(): readonly ModelStanding[];
  /** Names of models that the provider of the default says it has. Contract: throws a ModelFailure. */
  offered(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Asks just this one, just once: no second attempt, no other model, whatever the breaker says.
   * Contract: as the port's `reply`; throws NOT_FOUND for a name that is not in the list.
   */
  ask(name: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<SaidEvent>;
}

export interface ModelStanding {
  readonly name: string;
  readonly provider: string;
  /** Empty where its provider has one only. */
  readonly api: '' | 'chat' | 'responses';
  /** Empty for the script. */
  readonly baseUrl: string;
  readonly isDefault: boolean;
  readonly isScript: boolean;
  /** Whether a run may ask for it. */
  readonly isChoice: boolean;
  /** From 1; 0 for what is not in the order of failover. */
  readonly failoverRank: number;
  readonly breaker: ReturnType<Breaker['standing']>;
  /** Absent unless the breaker is open. */
  readonly askedAgainAt?: Date;
  /** US dollars for a million tokens; absent where none are configured. */
  readonly prices?: { readonly input: number; readonly output: number };
  /** In words; empty where there is to be no key. Never the key. */
  readonly keySource: string;
  readonly hasKey: boolean;
}

export function scriptDesk(script: ScriptModel): ModelDesk {
  const { name } = script;
  const standing: ModelStanding = {
    name,
    provider: 'script',
    api: '',
    baseUrl: '',
    isDefault: true,
    isScript: true,
    isChoice: true,
    failoverRank: 0,
    breaker: 'closed',
    keySource: '',
    hasKey: false,
  };
  return {
    list: () => [standing],
    offered: () => Promise.resolve([]),
    ask: (asked, { conversation }, signal) => {
      if (asked !== '' && asked !== name && asked !== 'script') throw noSuchModel(asked, [name]);
      return script.reply(conversation, signal);
    },
  };
}

export function providerDesk(up: LineUp): ModelDesk {
  return {
    list: () => allLines(up).map((line) => standingOf(line, up)),
    offered: (signal) => offeredBy(up.first, signal),
    ask: (name, request, signal) => {
      const lines = allLines(up);
      const line = name === '' ? up.first : findLine(lines, name);
      if (line === undefined) throw noSuchModel(name, lines.map(nameOf));
      return attempt(line.parts, request, signal);
    },
  };
}

function standingOf(line: Line, { first, failover, choices }: LineUp): ModelStanding {
  const { target, key } = line.parts;
  const { name, provider, api, baseUrl, prices } = target;
  const askedAgainAt = line.breaker.opensAt();
  return {
    name,
    provider,
    api: provider === 'openai' ? api : '',
    baseUrl: baseUrl.href,
    isDefault: line === first,
    isScript: false,
    isChoice: line === first || choices.includes(line),
    failoverRank: failover.indexOf(line) + 1,
    breaker: line.breaker.standing(),
    ...(askedAgainAt === undefined ? {} : { askedAgainAt }),
    ...(prices === undefined ? {} : { prices: { input: prices.input, output: prices.output } }),
    keySource: keyWords(target.keySource),
    hasKey: key !== '',
  };
}

export const MAX_OFFERED = 500;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_NAME = 256;

async function offeredBy({ parts }: Line, signal: AbortSignal): Promise<readonly string[]> {
  const { target, key, http } = parts;
  const { offered } = target.wire;
  const { path, headers } = offered;
  const sending = {
    method: 'GET',
    accept: 'application/json',
    url: under(target.baseUrl, path),
    headers: key === '' ? headers : { ...headers, ...target.wire.keyHeader(key) },
    body: '',
    key,
  } as const;
  const mask = new KeyMask(key);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of exchange(sending, http, signal)) {
    length += chunk.length;
    if (length > MAX_LIST_BYTES) {
      throw new ModelFailure('not-an-api', `the list is larger than ${MAX_LIST_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const document = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (document === undefined) {
    throw new ModelFailure('not-an-api', 'the list of models is not json');
  }
  return offered
    .names(document)
    .filter((name) => name !== '' && name.length <= MAX_NAME)
    .map((name) => mask.hide(name))
    .toSorted()
    .slice(0, MAX_OFFERED);
}

function noSuchModel(name: string, known: readonly string[]): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no model ${quote(name)}`, {
    help: `there are ${known.map(quote).join(', ')}`,
  });
}
