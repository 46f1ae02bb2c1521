import type { Clock } from '@palyra/kernel';
import { createBreaker } from './breaker.ts';
import type { ProviderName } from './failover-entry.ts';
import type { HttpParts } from './http.ts';
import { type KeyPlaces, readKey } from './keys.ts';
import type { Line } from './line.ts';
import type { ModelChoice } from './model-port.ts';
import type { ModelsSettings } from './models-section.ts';
import { type Target, targetsOf } from './targets.ts';

/** Every model that the settings name. */
export interface LineUp {
  readonly first: Line;
  readonly failover: readonly Line[];
  readonly choices: readonly Line[];
}

export interface LineUpParts extends KeyPlaces {
  readonly settings: ModelsSettings;
  readonly clock: Clock;
  readonly http: HttpParts;
}

/** Contract: throws for settings that do not fit and a key that is missing. Nothing is sent yet. */
export function lineUp(parts: LineUpParts, provider: ProviderName): LineUp {
  const { first, failover, choices } = targetsOf(parts.settings, provider);
  const lines = new Map<string, Line>();
  // A model that is named twice is unwell once.
  const lineOf = (target: Target): Line => {
    const id = JSON.stringify([target.name, target.baseUrl.href, target.api, target.keySource]);
    const line = lines.get(id) ?? openLine(target, parts);
    lines.set(id, line);
    return line;
  };
  return {
    first: lineOf(first),
    failover: failover.map(lineOf),
    choices: choices.map(lineOf),
  };
}

function openLine(target: Target, parts: LineUpParts): Line {
  return {
    parts: { target, key: readKey(target.keySource, parts), http: parts.http },
    breaker: createBreaker(parts.clock),
    lastFailure: undefined,
  };
}

/** Each line once, in the order in which people are told of them. */
export function allLines({ first, failover, choices }: LineUp): readonly Line[] {
  return [...new Set([first, ...failover, ...choices])];
}

/** The one that is asked first, then whom to turn to when it fails. */
export function linesFor(up: LineUp, name: string): readonly Line[] {
  const line = findLine([up.first, ...up.choices], name) ?? up.first;
  return [...new Set([line, ...up.failover])];
}

export function choiceOf({ first, choices }: LineUp, name: string): ModelChoice {
  const open = [...new Set([first, ...choices])];
  const line = name === '' ? first : findLine(open, name);
  return line === undefined
    ? { kind: 'unknown', choices: open.map(nameOf) }
    : { kind: 'chosen', name: nameOf(line) };
}

/** By its full name, or by the model's own where that leaves no doubt. */
export function findLine(lines: readonly Line[], name: string): Line | undefined {
  const whole = lines.find((line) => nameOf(line) === name);
  if (whole !== undefined) return whole;
  const short = lines.filter(({ parts }) => parts.target.model === name);
  return short.length === 1 ? short[0] : undefined;
}

export function nameOf({ parts }: Line): string {
  return parts.target.name;
}
