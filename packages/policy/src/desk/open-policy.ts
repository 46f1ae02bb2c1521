import { create } from '@bufbuild/protobuf';
import {
  type BacktestProgress,
  BacktestProgressSchema,
  type Permission,
  type PolicyCandidate,
} from '@palyra/protocol';
import type { KnownTool } from '../compare/difference.ts';
import { createEngine } from '../engine/engine.ts';
import type { JournalDecisions, PolicyParts, PolicyTool } from '../policy.ts';
import type { ApprovalGiven } from '../request/approval.ts';
import type { CallToJudge } from '../request/call-request.ts';
import { capabilityWords, riskWord } from '../request/words.ts';
import { type Sets, createSets } from '../sets/sets.ts';
import { ActiveRules } from './active-rules.ts';
import { Authoriser, type PolicyCaller } from './authoriser.ts';
import { Desk } from './desk.ts';
import { JobSlots } from './job-slots.ts';
import { type Judgement, judge } from './judge.ts';
import { ShadowRecord } from './shadow.ts';
import { reportMessage } from './wire.ts';

/** The rules, once somebody has asked for them. */
export interface OpenPolicy {
  readonly sets: Sets;
  readonly desk: Desk;
  readonly shadows: ShadowRecord;
  judge(call: CallToJudge, approval?: ApprovalGiven): Promise<Judgement>;
  authorise(caller: PolicyCaller, permission: Permission | undefined): Promise<void>;
  backtest(tried: Tried, signal: AbortSignal): AsyncIterable<BacktestProgress>;
}

export interface Tried {
  readonly candidate: PolicyCandidate;
  readonly journal: JournalDecisions;
}

/** Contract: a set is in force when it resolves; the engine is loaded at the first decision. */
export async function openPolicy(parts: PolicyParts): Promise<OpenPolicy> {
  const { records, clock, log } = parts;
  const tools = parts.tools.map(knownTool);
  const names = new Set(tools.map(({ name }) => name));
  const sets = createSets({ ...parts, tools: { names, prefixes: [] } });
  const engine = createEngine();
  const rules = new ActiveRules({ engine, log, inForce: () => sets.inForce()?.set });
  const authoriser = new Authoriser({ rules, clock });
  const shadows = new ShadowRecord({ records, sets, clock });
  const slots = new JobSlots();
  const desk = new Desk({ sets, engine, rules, shadows, tools, slots, clock });
  await sets.start();
  return {
    sets,
    desk,
    shadows,
    judge: (call, approval) => judge(call, approval, { rules, engine, clock }),
    authorise: (caller, permission) => authoriser.authorise(caller, permission),
    backtest: (tried, signal) => replay(tried, { desk, slots }, signal),
  };
}

async function* replay(
  { candidate, journal }: Tried,
  { desk, slots }: { readonly desk: Desk; readonly slots: JobSlots },
  signal: AbortSignal,
): AsyncGenerator<BacktestProgress> {
  using _slot = slots.take();
  const set = await desk.setOf(candidate);
  const { backtest } = await import('../compare/backtest.ts');
  const total = BigInt(journal.total);
  for await (const { decided, read, report } of backtest({ set, journal }, signal)) {
    const progress = create(BacktestProgressSchema, { decided, read, total });
    if (report !== undefined) progress.report = reportMessage(report);
    yield progress;
  }
}

function knownTool({ name, capabilities, risk, source }: PolicyTool): KnownTool {
  return { name, capabilities: capabilityWords(capabilities), risk: riskWord(risk), source };
}
