import type { BacktestProgress } from '@palyra/protocol';
import type { KnownTool } from '../compare/difference.ts';
import { createEngine } from '../engine/engine.ts';
import type { PolicyParts, PolicyTool } from '../policy.ts';
import type { ApprovalGiven } from '../request/approval.ts';
import type { CallToJudge } from '../request/call-request.ts';
import { ownGrounds } from '../request/own-ground.ts';
import { capabilityWords, riskWord } from '../request/words.ts';
import { Compilers } from '../sets/compilers.ts';
import { type Sets, createSets } from '../sets/sets.ts';
import { ActiveRules } from './active-rules.ts';
import { Authoriser } from './authoriser.ts';
import { type Asking, Desk } from './desk.ts';
import { JobSlots } from './job-slots.ts';
import { type Judgement, judge } from './judge.ts';
import { Refusals } from './refusals.ts';
import { type Tried, replay } from './replay.ts';
import { ShadowRecord } from './shadow.ts';
import { TrialDesk } from './trial-desk.ts';

/** The rules, once somebody has asked for them. */
export interface OpenPolicy extends AsyncDisposable {
  readonly sets: Sets;
  readonly desk: Desk;
  readonly trials: TrialDesk;
  readonly shadows: ShadowRecord;
  judge(call: CallToJudge, approval?: ApprovalGiven): Promise<Judgement>;
  readonly authoriser: Authoriser;
  backtest(tried: Tried, asking: Asking): AsyncIterable<BacktestProgress>;
}

/** Of a backtest: longer than any connection that still works needs. */
const READ_LIMIT_MS = 30_000;

/** Contract: a set is in force when it resolves; the engine is loaded at the first decision. */
export async function openPolicy(parts: PolicyParts): Promise<OpenPolicy> {
  const { records, clock, log } = parts;
  const tools = parts.tools.map(knownTool);
  const nameable = { names: new Set(tools.map(({ name }) => name)), prefixes: [] };
  const compilers = new Compilers();
  const sets = createSets({ ...parts, tools: nameable, compilers });
  const engine = createEngine({
    tellSlow: (slow) => log.warn('the rules took too long, so it is denied', { ...slow }),
  });
  const rules = new ActiveRules({ engine, log, inForce: () => sets.inForce()?.set });
  const refusals = new Refusals({ journal: parts.journal, sets, clock, log });
  const authoriser = new Authoriser({ rules, clock, refusals });
  const shadows = new ShadowRecord({ records, sets, clock });
  const slots = new JobSlots();
  const ownIn = ownGrounds(parts.own);
  const desk = new Desk({ sets, engine, rules, shadows, tools, nameable, slots, clock, ownIn });
  const trials = new TrialDesk({ ...parts, sets, slots, nameable, desk });
  await sets.start();
  return {
    sets,
    desk,
    trials,
    shadows,
    judge: (call, approval) => judge(call, approval, { rules, engine, clock, ownIn, sets }),
    authoriser,
    [Symbol.asyncDispose]: async () => {
      refusals.close();
      await trials[Symbol.asyncDispose]();
      await sets[Symbol.asyncDispose]();
      await compilers[Symbol.asyncDispose]();
    },
    backtest: (tried, asking) => replay(tried, { desk, slots, readLimitMs: READ_LIMIT_MS }, asking),
  };
}

function knownTool({ name, capabilities, risk, source }: PolicyTool): KnownTool {
  return { name, capabilities: capabilityWords(capabilities), risk: riskWord(risk), source };
}
