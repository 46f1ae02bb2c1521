import { type Json, PalyraError, REDACTED } from '@palyra/kernel';
import { describeType } from './key-type.ts';
import type { Origin } from './origin.ts';
import { type Traces, winnerOf } from './resolve.ts';
import { type KeyDeclaration, defaultOf, toJson } from './sections.ts';
import { LIST_OF_KEYS, type Setting, shownName } from './setting.ts';
import { suggest } from './suggestion.ts';

/** One row of `palyra config show`. */
export interface ShownSetting {
  readonly key: string;
  /** Absent: not set, and no default. A secret is `[redacted]`. */
  readonly value?: Json;
  readonly origin: Origin;
}

/** Everything that there is to know about one key. */
export interface Explanation extends ShownSetting {
  readonly description: string;
  /** Type and bounds in words. */
  readonly takes: string;
  readonly default?: Json;
  readonly environmentName: string;
  readonly isSecret: boolean;
  /** Layers that set the key too and lost, strongest first. */
  readonly losers: readonly LayerValue[];
}

export interface LayerValue {
  readonly origin: Origin;
  readonly value?: Json;
}

export function showSettings(traces: Traces): readonly ShownSetting[] {
  return [...traces].flatMap(([key, settings]) => {
    const winner = settings.at(-1);
    return winner === undefined ? [] : [{ key, ...shown(winner) }];
  });
}

/** Contract: throws CONFIG_UNKNOWN_KEY, with a suggestion, for a key that does not exist. */
export function explainKey(traces: Traces, key: string): Explanation {
  const winner = winnerOf(traces, key);
  if (winner === undefined) throw noSuchKey(key, traces.keys());
  const { declaration } = winner;
  const losers = (traces.get(key) ?? []).slice(0, -1).toReversed();
  return {
    key,
    ...shown(winner),
    description: declaration.description,
    takes: describeType(declaration),
    ...withDefault(declaration),
    environmentName: declaration.environmentName,
    isSecret: declaration.isSecret,
    losers: losers.map((loser) => shown(loser)),
  };
}

export function noSuchKey(key: string, known: Iterable<string>): PalyraError {
  const nearest = suggest(key, known);
  const guess = nearest === undefined ? '' : `did you mean \`${nearest}\`? `;
  return new PalyraError('CONFIG_UNKNOWN_KEY', `\`${shownName(key)}\` is not a key`, {
    help: `${guess}${LIST_OF_KEYS}`,
  });
}

function shown({ declaration, value, origin }: Setting): LayerValue {
  if (value === undefined) return { origin };
  return { value: declaration.isSecret ? REDACTED : toJson(value), origin };
}

function withDefault(declaration: KeyDeclaration): { readonly default?: Json } {
  const value = defaultOf(declaration);
  if (value === undefined) return {};
  return { default: declaration.isSecret ? REDACTED : toJson(value) };
}
