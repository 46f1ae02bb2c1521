import { create } from '@bufbuild/protobuf';
import { PalyraError, quote } from '@palyra/kernel';
import {
  type BacktestReport as BacktestReportMessage,
  BacktestReportSchema,
  type PolicyDifference,
  PolicyDifferenceSchema,
  type PolicyFile as PolicyFileMessage,
  PolicyLayer,
  type PolicyProblem,
  PolicyProblemSchema,
} from '@palyra/protocol';
import type { Difference, Gain } from '../compare/difference.ts';
import type { BacktestReport } from '../compare/report.ts';
import type { Layer, PolicyFile, Problem } from '../model.ts';

const LAYERS_ON_THE_WIRE: Readonly<Record<Layer, PolicyLayer>> = {
  'built-in': PolicyLayer.BUILT_IN,
  admin: PolicyLayer.ADMIN,
  operator: PolicyLayer.OPERATOR,
  workspace: PolicyLayer.WORKSPACE,
};

export function problemMessage(problem: Problem): PolicyProblem {
  return create(PolicyProblemSchema, { ...problem, layer: LAYERS_ON_THE_WIRE[problem.layer] });
}

/** `operator/team.cedar:3:9: no such tool` */
export function problemLine({ layer, file, line, column, reason }: Problem): string {
  return `${layer}/${file}:${line}:${column}: ${reason}`;
}

/** Contract: throws INVALID_INPUT for a file of another layer: nobody changes those over the wire. */
export function operatorFiles(files: readonly PolicyFileMessage[]): readonly PolicyFile[] {
  return files.map(({ layer, name, text }) => {
    if (layer === PolicyLayer.UNSPECIFIED || layer === PolicyLayer.OPERATOR) {
      return { layer: 'operator', name, text };
    }
    throw new PalyraError('INVALID_INPUT', `${quote(name)} is not of the operator's layer`);
  });
}

export function differenceMessage(difference: Difference): PolicyDifference {
  return create(PolicyDifferenceSchema, {
    oldHash: difference.oldHash,
    newHash: difference.newHash,
    addedRules: [...difference.addedRules],
    removedRules: [...difference.removedRules],
    changedRules: [...difference.changedRules],
    gains: difference.gains.map(gainFields),
    losses: difference.losses.map(gainFields),
    questions: difference.questions,
    leftOut: difference.leftOut,
  });
}

function gainFields({ ruleIds, ...gain }: Gain) {
  return { ...gain, ruleIds: [...ruleIds] };
}

export function reportMessage(report: BacktestReport): BacktestReportMessage {
  return create(BacktestReportSchema, {
    candidateHash: report.candidateHash,
    calls: report.calls,
    unchanged: report.unchanged,
    widened: report.widened,
    narrowed: report.narrowed,
    skipped: report.skipped,
    unjudged: report.unjudged,
    others: report.others,
    changes: report.changes.map(({ ruleIds, examples, ...change }) => ({
      ...change,
      ruleIds: [...ruleIds],
      examples: [...examples],
    })),
  });
}
