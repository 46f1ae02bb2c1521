import { create } from '@bufbuild/protobuf';
import { PalyraError, quote } from '@palyra/kernel';
import {
  type BacktestReport as BacktestReportMessage,
  BacktestReportSchema,
  type PolicyDifference,
  PolicyDifferenceSchema,
  type PolicyFile as PolicyFileMessage,
  PolicyFileSchema,
  PolicyLayer,
  type PolicyProblem,
  PolicyProblemSchema,
} from '@palyra/protocol';
import type { Difference, Gain } from '../compare/difference.ts';
import type { BacktestReport } from '../compare/report.ts';
import type { Layer, PolicyFile, Problem } from '../model.ts';
import { MAX_SET_BYTES } from '../sets/limits.ts';

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

export function fileMessage({ layer, name, text }: PolicyFile): PolicyFileMessage {
  return create(PolicyFileSchema, { layer: LAYERS_ON_THE_WIRE[layer], name, text });
}

/**
 * Contract: throws INVALID_INPUT for a file of another layer, since nobody changes those over the wire,
 * and for more than a set may hold, which no process need be started to see.
 */
export function operatorFiles(files: readonly PolicyFileMessage[]): readonly PolicyFile[] {
  if (byteLength(files) > MAX_SET_BYTES) {
    throw new PalyraError('INVALID_INPUT', `rules may have ${MAX_SET_BYTES} bytes together`);
  }
  return files.map(({ layer, name, text }) => {
    if (layer === PolicyLayer.UNSPECIFIED || layer === PolicyLayer.OPERATOR) {
      return { layer: 'operator', name, text };
    }
    throw new PalyraError('INVALID_INPUT', `${quote(name)} is not of the operator's layer`);
  });
}

export function byteLength(files: readonly { readonly text: string }[]): number {
  return files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
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
