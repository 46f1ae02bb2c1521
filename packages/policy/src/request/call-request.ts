import { quote } from '@palyra/kernel';
import { type CallFacts, Risk, type ToolProposal } from '@palyra/protocol';
import type { PolicyContext, PolicyEntity } from '../model.ts';
import { type ApprovalGiven, approvalFacts } from './approval.ts';
import { hostFacts, hostProblem } from './hosts.ts';
import { httpFacts, httpProblem } from './http.ts';
import type { OwnGround, Reach } from './own-ground.ts';
import { pathFacts, pathProblem } from './paths.ts';
import { type Who, principalFacts } from './principal.ts';
import { type Asked, isProblem } from './problem.ts';
import { processFacts, processProblem } from './process.ts';
import { timeFacts } from './time.ts';
import { UNDECLARED } from './tool-source.ts';
import { capabilityWords, reference, references, riskWord, sortedSet } from './words.ts';

/** A proposal, and who and what stands behind it. What is left out has its most careful value. */
export interface CallToJudge {
  readonly proposal: Pick<
    ToolProposal,
    'runId' | 'sessionId' | 'tool' | 'capabilities' | 'risk' | 'facts'
  > &
    Partial<Pick<ToolProposal, 'workspace'>>;
  /** Who brings the tool; empty when nobody declared it. */
  readonly source: string;
  readonly standing: Who;
  readonly channel: string;
  readonly deviceId: string;
  readonly agent?: string;
  readonly skill?: string;
  /** Only what was proven on this machine. */
  readonly tier?: string;
  readonly taint?: readonly string[];
  readonly budget?: string;
}

/** When and where a call is judged. */
export interface Setting {
  readonly now: Date;
  readonly own: OwnGround;
}

/** Contract: equal calls in the same minute give equal requests, key for key. */
export function requestForCall(
  call: CallToJudge,
  { now, own }: Setting,
  approval?: ApprovalGiven,
): Asked {
  const known = knownCall(call);
  const facts = known.proposal.facts ?? NOTHING;
  const problem = factsProblem(known) ?? workspaceProblem(known) ?? boundsProblem(facts);
  if (problem !== undefined) return { problem };
  const who = principalFacts(known.standing);
  if (isProblem(who)) return who;
  return {
    principal: who.principal,
    action: 'tool.execute',
    resource: reference('Tool', known.proposal.tool),
    context: {
      ...standingContext(known, now),
      ...factsContext(facts, own),
      ...(approval && { approval: approvalFacts(approval, known.standing.member) }),
    },
    entities: [...who.entities, toolEntity(known)],
  };
}

type Facts = Omit<CallFacts, '$typeName'>;

const NOTHING: Facts = {
  reads: [],
  writes: [],
  hosts: [],
  secrets: [],
  argumentBytes: 0,
  bodyBytes: 0,
  argumentsSha256: '',
  readsBelow: false,
};

/** What nobody declared can do nothing, whatever is said of it. */
function knownCall(call: CallToJudge): CallToJudge {
  if (call.source !== '' && call.source !== UNDECLARED) return call;
  const proposal = { ...call.proposal, capabilities: [], risk: Risk.CRITICAL };
  return { ...call, source: UNDECLARED, proposal };
}

/** Rules about paths and hosts would not see what a call does whose arguments nobody has read. */
function factsProblem({ source, proposal }: CallToJudge): string | undefined {
  if (proposal.facts !== undefined || source === UNDECLARED) return undefined;
  return 'nothing is known of what the arguments of the call mean';
}

/** A relative one would be another folder for whoever asks than for whoever works in it. */
function workspaceProblem({ proposal: { workspace = '' } }: CallToJudge): string | undefined {
  if (workspace === '') return undefined;
  if (!workspace.startsWith('/')) return `the workspace ${quote(workspace)} is no absolute path`;
  return pathProblem([workspace]);
}

function boundsProblem(facts: Facts): string | undefined {
  return (
    pathProblem(facts.reads) ??
    pathProblem(facts.writes) ??
    hostProblem(facts.hosts) ??
    (facts.process === undefined ? undefined : processProblem(facts.process)) ??
    (facts.http === undefined ? undefined : httpProblem(facts.http))
  );
}

function standingContext(call: CallToJudge, now: Date): PolicyContext {
  const { workspace = '' } = call.proposal;
  return {
    channel: reference('Channel', call.channel),
    device: call.deviceId,
    agent: call.agent ?? 'palyra',
    session: call.proposal.sessionId,
    run: call.proposal.runId,
    ...(workspace === '' ? {} : { workspace }),
    skill: call.skill ?? '',
    capabilities: capabilitiesOf(call),
    tier: reference('Tier', call.tier ?? 'none'),
    taint: references('Taint', call.taint ?? []),
    budget: reference('Budget', call.budget ?? 'unlimited'),
    time: timeFacts(now),
    unattended: false,
  };
}

function factsContext(facts: Facts, own: OwnGround): PolicyContext {
  const { process, http } = facts;
  const touched = (paths: readonly string[], reach: Reach) => ({
    ...pathFacts(paths),
    ofGateway: own.touchedBy(paths, reach),
  });
  return {
    reads: touched(facts.reads, facts.readsBelow ? 'below' : 'itself'),
    // Whatever replaces, moves or removes a folder does so with everything in it.
    writes: touched(facts.writes, 'below'),
    hosts: hostFacts(facts.hosts),
    secrets: sortedSet(facts.secrets),
    argumentBytes: facts.argumentBytes,
    bodyBytes: facts.bodyBytes,
    argumentsSha256: facts.argumentsSha256,
    ...(process === undefined ? {} : { process: processFacts(process) }),
    ...(http === undefined ? {} : { http: httpFacts(http) }),
  };
}

function toolEntity(call: CallToJudge): PolicyEntity {
  return {
    uid: reference('Tool', call.proposal.tool),
    attrs: {
      capabilities: capabilitiesOf(call),
      risk: reference('Risk', riskWord(call.proposal.risk)),
      source: call.source,
    },
    parents: [],
  };
}

function capabilitiesOf({ proposal }: CallToJudge) {
  return references('Capability', capabilityWords(proposal.capabilities));
}
