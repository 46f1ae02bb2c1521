import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import { textOf } from './config-answer.ts';
import { inline } from './render/words.ts';

/** What `palyrad sandbox …` answers with, read leniently: what is not clearly well is not well. */
export interface ProbeAnswer {
  readonly id: string;
  readonly says: string;
  readonly expected: string;
  readonly observed: string;
  readonly holds: boolean;
}

export interface StepAnswer {
  readonly step: string;
  readonly isProven: boolean;
  readonly refusal: string;
  readonly findings: readonly ProbeAnswer[];
  readonly weaknesses: readonly string[];
}

export interface TierAnswer {
  readonly tier: string;
  readonly state: string;
  readonly step: string;
  readonly reason: string;
  readonly help: string;
  readonly weaknesses: readonly string[];
}

export function readSteps(verdict: Json | undefined): readonly StepAnswer[] {
  return objects(isJsonObject(verdict) ? verdict['steps'] : undefined).map((step) => ({
    step: textOf(step, 'step'),
    isProven: step['isProven'] === true,
    refusal: textOf(step, 'refusal'),
    findings: objects(step['findings']).map(readProbe),
    weaknesses: texts(step['weaknesses']),
  }));
}

export function readTiers(standings: Json | undefined): readonly TierAnswer[] {
  return objects(standings).map(readTier);
}

export function readTier(standing: JsonObject): TierAnswer {
  return {
    tier: textOf(standing, 'tier'),
    state: textOf(standing, 'state'),
    step: textOf(standing, 'step'),
    reason: textOf(standing, 'reason'),
    help: textOf(standing, 'help'),
    weaknesses: texts(standing['weaknesses']),
  };
}

function readProbe(finding: JsonObject): ProbeAnswer {
  return {
    id: textOf(finding, 'id'),
    says: textOf(finding, 'says'),
    expected: textOf(finding, 'expected'),
    observed: textOf(finding, 'observed'),
    holds: finding['holds'] === true,
  };
}

export function objects(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

export function texts(list: Json | undefined): readonly string[] {
  const items = Array.isArray(list) ? list : [];
  return items.filter((item) => typeof item === 'string').map(inline);
}
