import { performance } from 'node:perf_hooks';
import { commandAt } from '../../packages/policy/soak/calls.ts';
import { bareCedar, judgesFor } from '../../packages/policy/soak/judges.ts';
import { setWith } from '../../packages/policy/soak/rule-sets.ts';
import { type Figure, ONE_ROUND, type Scale } from '../figure.ts';
import { BRIEF_DURATION, DURATION, type Readings, type Run, interleave } from '../harness.ts';
import type { Target } from '../target.ts';

const RULES = [15, 200];
const REPEATED = 'the same call again';
/** Asked often enough that a clock of microseconds can tell. */
const REPETITIONS = 200;

export const policyDecision: Figure = {
  says: 'One decision about a tool call that nobody has asked about before, with all that is checked around it, against the bare call into cedar-wasm on the same input; and the same call asked about again.',
  targets: [
    ...RULES.flatMap((rules) => [ratio(rules, 'median'), ratio(rules, 'p99')]),
    { kind: 'value', subject: REPEATED, limit: { atMost: 20 } },
  ],
  measure: async (scale) => {
    const runs: Run[] = [];
    for (const rules of RULES) runs.push(await measureFresh(rules, scale));
    runs.push(await measureRepeated(scale));
    const notes = [
      'Both alternate call by call. The call is allowed at the first evaluation; one that needs an approval takes two or, where a rule could say that nobody need be asked, three.',
      'Both validate the request against the schema; the decision also checks it for what Cedar would round or mend, and looks for it in the cache in vain.',
    ];
    return { runs, notes };
  },
};

type Statistic = 'median' | 'p99';

function decisionName(rules: number, statistic: Statistic): string {
  return `decision, ${rules} rules, ${statistic}`;
}

function bareName(rules: number, statistic: Statistic): string {
  return `bare cedar-wasm, ${rules} rules, ${statistic}`;
}

function ratio(rules: number, statistic: Statistic): Target {
  const subject = decisionName(rules, statistic);
  const baseline = bareName(rules, statistic);
  return { kind: 'ratio', subject, baseline, limit: { atMost: 1.25 } };
}

async function measureFresh(rules: number, scale: Scale): Promise<Run> {
  const calls = scale === 'small' ? 100 : 1_000;
  const set = setWith(rules);
  const { remembering } = await judgesFor(set);
  const bare = await bareCedar(set);
  let at = 0;
  const measure = async (): Promise<Readings> => {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      at += 1;
      const request = commandAt({ at, isNew: true });
      const measureOurs = () => ours.push(timeOf(() => remembering(request)));
      const measureTheirs = () => theirs.push(timeOf(() => bare(request)));
      const both = [measureOurs, measureTheirs];
      for (const one of call % 2 === 0 ? both : both.toReversed()) one();
    }
    return {
      [decisionName(rules, 'median')]: percentile(ours, 0.5),
      [bareName(rules, 'median')]: percentile(theirs, 0.5),
      [decisionName(rules, 'p99')]: percentile(ours, 0.99),
      [bareName(rules, 'p99')]: percentile(theirs, 0.99),
    };
  };
  return await interleave({
    title: `deciding with ${rules} rules`,
    quantity: DURATION,
    subjects: [measure],
    ...(scale === 'small' ? ONE_ROUND : { warmUps: 2, rounds: 8 }),
  });
}

async function measureRepeated(scale: Scale): Promise<Run> {
  const { remembering } = await judgesFor(setWith(200));
  const request = commandAt({ at: 0 });
  const measure = async (): Promise<Readings> => {
    const elapsedMs = timeOf(() => {
      for (let time = 0; time < REPETITIONS; time += 1) remembering(request);
    });
    return { [REPEATED]: (elapsedMs * 1_000) / REPETITIONS };
  };
  return await interleave({
    title: 'asking again',
    quantity: BRIEF_DURATION,
    subjects: [measure],
    ...(scale === 'small' ? ONE_ROUND : { warmUps: 5, rounds: 20 }),
  });
}

function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function percentile(samples: readonly number[], share: number): number {
  const ascending = samples.toSorted((left, right) => left - right);
  return ascending[Math.ceil(share * ascending.length) - 1] ?? Number.NaN;
}
