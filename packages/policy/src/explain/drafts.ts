import { canonicalBytes, sha256Hex, visibleText } from '@palyra/kernel';
import type { PolicyRequest, Rule } from '../model.ts';
import { stringText } from './cedar-text.ts';
import { type Condition, exactFacts, exactFactsUnattended, exactScope } from './exact-call.ts';
import { principalName } from './words.ts';

/** A rule as text that nobody has read yet. */
export interface Draft {
  readonly text: string;
  /** What it repeats of the call. */
  readonly strings: readonly string[];
  /** The rule that it would replace. */
  readonly amends?: Rule;
}

/** A permit for one call and no other. */
export function draftPermit(request: PolicyRequest): Draft {
  return permit(request, {
    word: 'allow',
    says: `allows ${named(request)} exactly as it was asked for`,
    action: request.action,
    facts: exactFacts(request),
  });
}

/** A rule that lets one call, and no other, pass the gates unasked. */
export function draftUnattended(request: PolicyRequest): Draft {
  return permit(request, {
    word: 'unattended',
    says: `needs no question for ${named(request)} exactly as it was asked for`,
    action: 'tool.unattended',
    facts: exactFactsUnattended(request),
  });
}

/** The same forbid, for everything but one call. Contract: the text of a rule ends in its `;`. */
export function draftException(rule: Rule, request: PolicyRequest): Draft {
  const conditions = [...exactScope(request), ...exactFacts(request)];
  const text = rule.text.trimEnd().replace(/;$/, '').trimEnd();
  return {
    text: `${text}\nunless ${block(conditions)};`,
    strings: conditions.flatMap(({ strings }) => strings),
    amends: rule,
  };
}

interface PermitParts {
  readonly word: string;
  readonly says: string;
  readonly action: string;
  readonly facts: readonly Condition[];
}

function permit(request: PolicyRequest, { word, says, action, facts }: PermitParts): Draft {
  const scope = exactScope(request, action);
  const when = facts.length === 0 ? '' : `\nwhen ${block(facts)}`;
  const body = `permit (\n${scope.map(({ text }) => `  ${text}`).join(',\n')}\n)${when};`;
  const id = `${word}-${slug(request)}-${sha256Hex(canonicalBytes(body)).slice(0, ID_DIGITS)}`;
  return {
    text: `@id("${id}")\n@says(${stringText(says)})\n${body}`,
    strings: [...scope, ...facts].flatMap(({ strings }) => strings),
  };
}

/** Enough that two different calls never share an id by chance. */
const ID_DIGITS = 16;
/** An id has at most 64 characters, the digits and the word before them included. */
const MAX_SLUG = 32;
const MAX_NAME = 60;

function block(conditions: readonly Condition[]): string {
  return `{\n${conditions.map(({ text }) => `  ${text}`).join(' &&\n')}\n}`;
}

function named(request: PolicyRequest): string {
  return `${shortened(nameOf(request))} for ${shortened(principalName(request.principal))}`;
}

function shortened(name: string): string {
  return visibleText(name, 'one-line').slice(0, MAX_NAME).toWellFormed();
}

function nameOf({ action, resource }: PolicyRequest): string {
  return action.startsWith('tool.') ? resource.id : action;
}

function slug(request: PolicyRequest): string {
  const words = nameOf(request)
    .toLowerCase()
    .slice(0, MAX_SLUG)
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'call';
}
