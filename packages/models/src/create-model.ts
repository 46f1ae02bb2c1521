import type { ProviderName } from './failover-entry.ts';
import { type ModelDesk, providerDesk, scriptDesk } from './desk.ts';
import { type HttpParts, openConnections } from './http.ts';
import type { KeyPlaces } from './keys.ts';
import { type LineUp, choiceOf, lineUp, linesFor } from './line-up.ts';
import { type LineParts, replyFrom } from './line.ts';
import type { ModelPort } from './model-port.ts';
import { dearest } from './price.ts';
import { builtInScript } from './script/built-in-script.ts';
import { loadScript } from './script/load-script.ts';
import { createScriptModel } from './script/script-model.ts';
import type { Script } from './script/script.ts';

export interface ModelParts extends KeyPlaces, LineParts {}

/** Holds connections open between turns until it is disposed of. */
export interface Model extends ModelPort, Disposable {
  readonly desk: ModelDesk;
}

/**
 * The model that the settings name.
 * Contract: throws for settings that do not fit, a key that is missing and a script that is none;
 * nothing is sent yet. The keys are read here, once.
 */
export async function createModel(parts: ModelParts): Promise<Model> {
  const { provider } = parts.settings;
  return provider === 'script' ? await scriptModel(parts) : providerModel(parts, provider);
}

/** It is the only choice: `choices` and `failover` are for when there is a provider. */
async function scriptModel({ settings, clock }: ModelParts): Promise<Model> {
  const model = createScriptModel({ script: await scriptAt(settings.script), clock });
  const { name, isScript } = model;
  return {
    name,
    isScript,
    choose: (asked) =>
      asked === '' || asked === name || asked === 'script'
        ? { kind: 'chosen', name }
        : { kind: 'unknown', choices: [name] },
    reply: ({ conversation }, signal) => model.reply(conversation, signal),
    price: () => undefined,
    desk: scriptDesk(model),
    [Symbol.dispose]: () => undefined,
  };
}

async function scriptAt(path: string): Promise<() => Script> {
  if (path !== '') {
    const script = await loadScript(path);
    return () => script;
  }
  // Nothing can be wrong with our own, so it is read when it first plays, not at every start.
  let builtIn: Script | undefined;
  return () => (builtIn ??= builtInScript());
}

function providerModel(parts: ModelParts, provider: ProviderName): Model {
  const { settings, clock } = parts;
  const connections = openConnections();
  const http: HttpParts = {
    clock,
    connections,
    plainText: settings.plain_text,
    deadlines: {
      connectMs: settings.connect_timeout_ms,
      firstByteMs: settings.first_byte_timeout_ms,
      idleMs: settings.idle_timeout_ms,
      totalMs: settings.total_timeout_ms,
    },
  };
  const up: LineUp = lineUp({ ...parts, http }, provider);
  const { name } = up.first.parts.target;
  return {
    name,
    isScript: false,
    choose: (asked) => choiceOf(up, asked),
    reply: (request, signal) =>
      replyFrom(linesFor(up, request.model ?? name), parts, { request, signal }),
    price: ({ model = name, inputTokens, outputTokens }) => {
      const prices = linesFor(up, model).map((line) => line.parts.target.prices);
      return dearest({ inputTokens, outputTokens }, prices);
    },
    desk: providerDesk(up),
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  };
}
