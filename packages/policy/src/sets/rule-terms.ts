import { quote, visibleText } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { type GateTerms, type Layer, type Rule, SEVERITIES, STRENGTHS } from '../model.ts';
import type { Complaint } from './problems.ts';

export type Annotations = Rule['annotations'];

/** What the annotations of a rule say, and what is wrong with them. */
export interface RuleTerms {
  readonly id: string;
  readonly gate?: GateTerms;
  readonly isHard: boolean;
  readonly complaints: readonly Complaint[];
}

const GATE_TERMS = ['severity', 'approvers', 'quorum', 'strength', 'wait'] as const;
const KNOWN = ['id', 'says', 'gate', 'hard', ...GATE_TERMS];
const ID_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_ID = 64;
const MAX_SAYS = 200;
const PLAIN = /^[ -~]*$/;
const APPROVERS = { operator: Role.OPERATOR, admin: Role.ADMIN, owner: Role.OWNER } as const;
const UNIT_SECONDS = { s: 1, m: 60, h: 3600 } as const;
const MIN_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 24 * 3600;

export function termsOf(
  annotations: Annotations,
  { effect, layer }: { readonly effect: Rule['effect']; readonly layer: Layer },
): RuleTerms {
  const isGate = Object.hasOwn(annotations, 'gate');
  const isHard = Object.hasOwn(annotations, 'hard');
  const gate = readGate(annotations);
  return {
    id: annotations['id'] ?? '',
    isHard,
    ...(isGate ? { gate: gate.terms } : {}),
    complaints: [
      ...unknownNames(annotations),
      ...identityComplaints(annotations),
      ...(isGate
        ? [...gateComplaints(annotations, effect), ...gate.complaints]
        : strays(annotations)),
      ...(isHard ? hardComplaints(annotations, { effect, layer }) : []),
    ],
  };
}

function unknownNames(annotations: Annotations): readonly Complaint[] {
  return Object.keys(annotations)
    .filter((name) => !KNOWN.includes(name))
    .map((name) => ({
      annotation: name,
      reason: `there is no annotation ${quote(`@${name}`)}`,
      help: `use ${KNOWN.map((known) => `\`@${known}\``).join(', ')}, or write a comment`,
    }));
}

function identityComplaints({ id, says }: Annotations): readonly Complaint[] {
  const complaints: Complaint[] = [];
  if (id === undefined) complaints.push(missing('@id', '`@id("what-it-is-for")`'));
  else if (id.length > MAX_ID || !ID_PATTERN.test(id)) {
    complaints.push({
      annotation: 'id',
      reason: `${quote(id)} is not an id of a rule`,
      help: `use lower-case letters, digits and single hyphens, at most ${MAX_ID} characters`,
    });
  }
  if (says === undefined) complaints.push(missing('@says', '`@says("what it does, in words")`'));
  else if (!isSentence(says)) {
    complaints.push({
      annotation: 'says',
      reason: '`@says` is not one sentence that a person can read',
      help: `write one line of 1 to ${MAX_SAYS} characters that can all be seen`,
    });
  }
  return complaints;
}

function isSentence(text: string): boolean {
  return (
    text.trim() === text &&
    text.length > 0 &&
    text.length <= MAX_SAYS &&
    (PLAIN.test(text) || visibleText(text, 'one-line') === text)
  );
}

function missing(name: string, example: string): Complaint {
  return { reason: `the rule has no \`${name}\``, help: `put ${example} before it` };
}

function gateComplaints({ gate }: Annotations, effect: Rule['effect']): readonly Complaint[] {
  const complaints: Complaint[] = [];
  if (gate !== 'approval') complaints.push(wrongValue('gate', '`approval`'));
  if (effect !== 'forbid') {
    complaints.push({
      annotation: 'gate',
      reason: 'a gate is a `forbid` that an approval lifts, and this is a `permit`',
      help: 'turn it into a `forbid … unless { context has approval && … }`, or drop `@gate`',
    });
  }
  return complaints;
}

function strays(annotations: Annotations): readonly Complaint[] {
  return GATE_TERMS.filter((name) => Object.hasOwn(annotations, name)).map((name) => ({
    annotation: name,
    reason: `\`@${name}\` says how to approve, and the rule is no gate`,
    help: 'add `@gate("approval")`, or drop it',
  }));
}

function hardComplaints(
  annotations: Annotations,
  { effect, layer }: { readonly effect: Rule['effect']; readonly layer: Layer },
): readonly Complaint[] {
  const complaints: Complaint[] = [];
  if (annotations['hard'] !== '') complaints.push(wrongValue('hard', 'no value'));
  if (effect !== 'forbid' || Object.hasOwn(annotations, 'gate')) {
    complaints.push({
      annotation: 'hard',
      reason: 'only a `forbid` without a gate can be `@hard`',
      help: 'drop `@hard`',
    });
  }
  if (layer !== 'built-in' && layer !== 'admin') {
    complaints.push({
      annotation: 'hard',
      reason: `a rule of the ${layer}'s layer cannot be \`@hard\``,
      help: 'drop `@hard`, or have the rule put into the admin layer',
    });
  }
  return complaints;
}

interface GateReading {
  readonly terms: GateTerms;
  readonly complaints: readonly Complaint[];
}

function readGate(annotations: Annotations): GateReading {
  const { severity = 'medium', approvers = 'operator', strength = 'device' } = annotations;
  const { quorum = '1', wait = '300s' } = annotations;
  const level = SEVERITIES.find((each) => each === severity);
  const role = Object.entries(APPROVERS).find(([word]) => word === approvers)?.[1];
  const shown = STRENGTHS.find((each) => each === strength);
  const count = /^[1-9]$/.test(quorum) ? Number(quorum) : undefined;
  const waitSeconds = secondsOf(wait);
  return {
    terms: {
      severity: level ?? 'critical',
      approvers: role ?? Role.OWNER,
      quorum: count ?? 9,
      strength: shown ?? 'passkey',
      waitSeconds: waitSeconds ?? MIN_WAIT_SECONDS,
    },
    complaints: [
      ...(level === undefined ? [wrongValue('severity', words(SEVERITIES))] : []),
      ...(role === undefined ? [wrongValue('approvers', words(Object.keys(APPROVERS)))] : []),
      ...(count === undefined ? [wrongValue('quorum', '`1` to `9`')] : []),
      ...(shown === undefined ? [wrongValue('strength', words(STRENGTHS))] : []),
      ...(waitSeconds === undefined ? [wrongValue('wait', '`30s` to `24h`, in s, m or h')] : []),
    ],
  };
}

function secondsOf(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  if (unit !== 's' && unit !== 'm' && unit !== 'h') return undefined;
  const seconds = Number(digits) * UNIT_SECONDS[unit];
  return seconds >= MIN_WAIT_SECONDS && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}

function wrongValue(name: string, allowed: string): Complaint {
  const reason = `\`@${name}\` has a value that it cannot have`;
  return { annotation: name, reason, help: `it takes ${allowed}` };
}

function words(list: readonly string[]): string {
  return list.map((word) => `\`${word}\``).join(', ');
}
