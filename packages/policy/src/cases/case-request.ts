import { create } from '@bufbuild/protobuf';
import { type JsonObject, parsePermission, quote } from '@palyra/kernel';
import {
  type CallFacts,
  CallFactsSchema,
  Capability,
  type Permission,
  PrincipalKind,
  Risk,
  Role,
} from '@palyra/protocol';
import type { PolicyEntity, PolicyRequest } from '../model.ts';
import { type CallToJudge, requestForCall } from '../request/call-request.ts';
import { hostEntity } from '../request/connection.ts';
import { type OwnGround, ownGround } from '../request/own-ground.ts';
import type { Matter } from '../request/matter.ts';
import { requestForMatter, requestForPermission } from '../request/permission-request.ts';
import { type Asked, type RequestProblem, isProblem } from '../request/problem.ts';
import { DECLARED_SOURCES } from '../request/tool-source.ts';
import { reference, references } from '../request/words.ts';
import { type CaseResource, type PolicyCase, TOOL_ACTIONS } from './policy-case.ts';

/** The tools that cases speak of; the catalogue fits. */
export interface CaseTools {
  find(tool: string): CaseTool | undefined;
}

export interface CaseTool {
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
  readonly source: string;
  understand(args: JsonObject, workspace: string): UnderstoodArguments;
}

export type UnderstoodArguments =
  | { readonly kind: 'understood'; readonly facts: CallFacts }
  | { readonly kind: 'not-understood' | 'outside'; readonly reason: string };

/** Asks as the daemon would: with the same facts, made by the same code. */
export function requestForCase(each: PolicyCase, tools: CaseTools): Asked {
  const misspelt = misspeltIn(each);
  if (misspelt !== undefined) return misspelt;
  const permission = parsePermission(each.action);
  if (permission !== undefined || each.action === STATUS) {
    return requestForPermission({ ...callerOf(each), permission });
  }
  const matter = matterOf(each);
  if (matter !== undefined) return requestForMatter({ ...callerOf(each), matter });
  const facts = factsOf(each, tools);
  if (isProblem(facts)) return facts;
  const call = callOf(each, { tool: tools.find(each.tool ?? ''), facts });
  const setting = { now: new Date(each.time), own: groundOf(each) };
  const request = requestForCall(call, setting, approvalOf(each));
  if (isProblem(request)) return request;
  if (TOOL_ACTIONS.includes(each.action)) return { ...request, action: each.action };
  const { resource } = each;
  if (resource === undefined || !isBelonging(resource))
    return { problem: `${quote(each.action)} needs a \`resource\`` };
  return forResource(request, each.action, resource);
}

const STATUS = 'status.read';

/** The schema takes any text here, so a word that nothing has would just never be allowed anything. */
function misspeltIn({ scopes, source }: PolicyCase): RequestProblem | undefined {
  const scope = scopes.find((word) => parsePermission(word) === undefined);
  if (scope !== undefined) return { problem: `there is no scope ${quote(scope)}` };
  if (source === undefined || DECLARED_SOURCES.includes(source)) return undefined;
  return {
    problem: `no tool comes from ${quote(source)}, only from ${DECLARED_SOURCES.join(', ')}`,
  };
}

function groundOf({ workspace, gateway }: PolicyCase): OwnGround {
  return ownGround({ workspace, folders: gateway });
}

function callerOf(each: PolicyCase) {
  const { kind, member, name, role } = standingOf(each);
  const userId = member.slice('user:'.length);
  const scopes = each.scopes.flatMap((scope) => parsePermission(scope) ?? []);
  const caller = {
    principal: each.principal,
    kind,
    permissions: new Set<Permission>(scopes),
    member: { userId, name, role },
    deviceId: each.device,
  };
  return { caller, channel: each.channel, now: new Date(each.time) };
}

function standingOf({ principal, member, role, scopes }: PolicyCase) {
  const [kind = '', id = ''] = principal.split(/:(.*)/su, 2);
  return {
    principal,
    kind: KINDS.get(kind) ?? PrincipalKind.UNSPECIFIED,
    member: kind === 'user' ? principal : member,
    name: id,
    role: ROLES[role],
    scopes,
  };
}

const KINDS: ReadonlyMap<string, PrincipalKind> = new Map([
  ['user', PrincipalKind.USER],
  ['token', PrincipalKind.TOKEN],
  ['device', PrincipalKind.DEVICE],
  ['agent', PrincipalKind.AGENT],
  ['worker', PrincipalKind.WORKER],
]);

const ROLES = {
  none: Role.UNSPECIFIED,
  operator: Role.OPERATOR,
  admin: Role.ADMIN,
  owner: Role.OWNER,
} as const;

function factsOf(each: PolicyCase, tools: CaseTools): CallFacts | RequestProblem {
  if (each.arguments === undefined) return create(CallFactsSchema, factsGiven(each));
  const tool = tools.find(each.tool ?? '');
  if (tool === undefined) return { problem: `there is no tool ${quote(each.tool ?? '')}` };
  const understood = tool.understand(each.arguments, each.workspace);
  if (understood.kind === 'understood') return understood.facts;
  return { problem: understood.reason };
}

function factsGiven({ facts }: PolicyCase) {
  if (facts === undefined) return {};
  const { process, http, ...lists } = facts;
  return {
    ...lists,
    ...(process === undefined ? {} : { process }),
    ...(http === undefined ? {} : { http }),
  };
}

interface Behind {
  readonly tool: CaseTool | undefined;
  readonly facts: CallFacts;
}

function callOf(each: PolicyCase, { tool, facts }: Behind): CallToJudge {
  return {
    proposal: {
      runId: 'run',
      sessionId: 'session',
      workspace: each.workspace,
      tool: each.tool ?? '',
      capabilities: capabilitiesOf(each) ?? [...(tool?.capabilities ?? [])],
      risk: each.risk === undefined ? (tool?.risk ?? Risk.UNSPECIFIED) : RISKS[each.risk],
      facts,
    },
    source: sourceOf(each, tool),
    standing: standingOf(each),
    deviceId: each.device,
    channel: each.channel,
    agent: each.agent,
    skill: each.skill,
    tier: each.tier,
    taint: each.taint,
    budget: each.budget,
  };
}

/** What a case says of a tool declares it; so does asking for something else than a tool. */
function sourceOf({ source, capabilities, risk, resource }: PolicyCase, tool?: CaseTool): string {
  const isDeclared = [capabilities, risk, resource].some((said) => said !== undefined);
  return source ?? tool?.source ?? (isDeclared ? 'case' : '');
}

function capabilitiesOf({ capabilities, resource }: PolicyCase): Capability[] | undefined {
  const words = resource?.type === 'Skill' ? resource.capabilities : capabilities;
  return words?.map((word) => CAPABILITIES[word]);
}

const CAPABILITIES = {
  process_exec: Capability.PROCESS_EXEC,
  network: Capability.NETWORK,
  secrets_read: Capability.SECRETS_READ,
  filesystem_write: Capability.FILESYSTEM_WRITE,
  filesystem_read: Capability.FILESYSTEM_READ,
  browser: Capability.BROWSER,
  memory: Capability.MEMORY,
} as const;

const RISKS = {
  low: Risk.LOW,
  medium: Risk.MEDIUM,
  high: Risk.HIGH,
  critical: Risk.CRITICAL,
} as const;

function approvalOf({ approval }: PolicyCase) {
  if (approval === undefined) return undefined;
  const approvers = approval.map(({ principal, role, strength }, place) => ({
    principal: principal ?? `user:approver-${place + 1}`,
    role: ROLES[role],
    strength,
  }));
  return { approvers };
}

function matterOf({ action, resource }: PolicyCase): Matter | undefined {
  if (resource?.type === 'Work') return { action, owner: resource.owner };
  if (resource?.type === 'Workspace') return { action, workspace: resource.path };
  if (resource?.type !== 'Member') return undefined;
  const userId = resource.user?.slice('user:'.length) ?? '';
  return { action, member: { userId, role: ROLES[resource.role] } };
}

type CaseBelonging = Exclude<CaseResource, { readonly type: 'Work' | 'Member' | 'Workspace' }>;

function isBelonging(resource: CaseResource): resource is CaseBelonging {
  return !['Work', 'Member', 'Workspace'].includes(resource.type);
}

function forResource(request: PolicyRequest, action: string, resource: CaseBelonging): Asked {
  const entities = request.entities.filter((entity) => entity.uid.type !== 'Tool');
  const entity = entityOf(resource);
  return { ...request, action, resource: entity.uid, entities: [...entities, entity] };
}

function entityOf(resource: CaseBelonging): PolicyEntity {
  if (resource.type === 'Host') {
    const { id: host, listed: isListed, port, range } = resource;
    return hostEntity({ host, port, range, isListed });
  }
  const uid = reference(resource.type, resource.id);
  return { uid, attrs: attributesOf(resource), parents: [] };
}

type CaseOwned = Exclude<CaseBelonging, { readonly type: 'Host' }>;

function attributesOf(resource: CaseOwned): PolicyEntity['attrs'] {
  switch (resource.type) {
    case 'Skill': {
      const { active, publisher } = resource;
      return { active, publisher, capabilities: references('Capability', resource.capabilities) };
    }
    case 'Secret':
      return resource.owner === undefined ? {} : { owner: userOf(resource.owner) };
    case 'Memory':
    case 'Routine':
      return { owner: userOf(resource.owner) };
  }
}

function userOf(owner: string) {
  return reference('User', owner.slice('user:'.length));
}
