import { quote, redactText, visibleText } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import type { EntityRef, GateTerms, PolicyRequest, Rule } from '../model.ts';
import { fieldOf, refOf } from './facts.ts';

/** ``rule `git-reads` (team.cedar:4)`` */
export function ruleAt(rule: Rule): string {
  return `rule ${quote(rule.id)} (${visibleText(rule.file, 'one-line')}:${rule.line})`;
}

/** `: what it says`, or nothing. The sentence may come from a workspace, so it is quoted. */
export function saying(rule: Rule): string {
  const says = rule.annotations['says'] ?? '';
  return says === '' ? '' : `: ${quote(says)}`;
}

/** What is to be done: a tool by its name, anything else by its action. */
export function whatIs({ action, resource }: PolicyRequest): string {
  if (action.startsWith('tool.')) return quote(redactText(resource.id));
  if (resource.type === 'Gateway') return quote(action);
  return `${quote(action)} on ${quote(redactText(principalName(resource)))}`;
}

/** What a caller of the gateway wants to do something with: ``runs and sessions of `user:01J…` ``. */
export function matterWords(resource: EntityRef): string {
  const { type, id } = resource;
  if (type === 'Gateway') return 'the gateway';
  if (type === 'Member') return id === 'new' ? 'a new member' : `member ${quote(`user:${id}`)}`;
  if (type === 'Workspace') return `the folder ${quote(id)}`;
  if (type === 'Host') return `the host ${quote(id)}`;
  if (type !== 'Work') return quote(redactText(principalName(resource)));
  return id === 'everybody' ? "everybody's runs and sessions" : `runs and sessions of ${quote(id)}`;
}

/** ``for `user:01J…`, channel `cli` `` */
export function whoAsks(request: PolicyRequest): string {
  const channel = refOf(fieldOf(request.context, 'channel'))?.id;
  const who = `for ${quote(principalName(request.principal))}`;
  return channel === undefined ? who : `${who}, channel ${quote(channel)}`;
}

/** `user:01J…`, as everywhere else in the product. */
export function principalName({ type, id }: EntityRef): string {
  const prefix = `${type.toLowerCase()}:`;
  return id.startsWith(prefix) ? id : `${prefix}${id}`;
}

/** `2 admins with a passkey` */
export function approversIn(terms: GateTerms): string {
  const role = ROLE_WORDS.get(terms.approvers) ?? 'operator';
  const people = terms.quorum === 1 ? `1 ${role}` : `${terms.quorum} ${role}s`;
  return terms.strength === 'passkey' ? `${people} with a passkey` : people;
}

const ROLE_WORDS: ReadonlyMap<Role, string> = new Map<Role, string>([
  [Role.OPERATOR, 'operator'],
  [Role.ADMIN, 'admin'],
  [Role.OWNER, 'owner'],
]);
