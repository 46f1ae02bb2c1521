import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import { type ModelUsage, ModelUsageSchema, type RunStarted } from '@palyra/protocol';
import type { ModelPort } from '../../ports.ts';
import { tokensOfText } from '../context/tokens.ts';
import { type Spending, afterTurn } from './spending.ts';

type ToldEntry = Pick<SealedEntry, 'kind' | 'payload'>;

const READ = { ignoreUnknownFields: true } as const;

/**
 * What a run has used, with the turn of a model that a crash cut off before anything of it was recorded. Whether it
 * was asked is not known; what was reserved for it counts, or a run that is killed and resumed again and again would
 * ask for ever. Its size is not known either: at least what it was asked about, or what the turn before took.
 * Contract: the entries of a run that nobody drives any more, in order.
 */
export function withCutOffTurn(
  spent: Spending,
  entries: readonly ToldEntry[],
  model: Pick<ModelPort, 'price'>,
): Spending {
  const { isAsked, last, question } = underWay(entries);
  if (!isAsked) return spent;
  const turn = { ...spent, modelTurns: spent.modelTurns + 1 };
  return afterTurn(turn, last ?? usageOf(question, model));
}

/** Of a first turn: what it was asked, as if nothing had been answered. */
function usageOf({ prompt, model: name }: Question, model: Pick<ModelPort, 'price'>): ModelUsage {
  const tokens = { inputTokens: tokensOfText(prompt), outputTokens: 0 };
  const price = model.price({ ...tokens, ...(name === '' ? {} : { model: name }) });
  return create(ModelUsageSchema, {
    inputTokens: BigInt(tokens.inputTokens),
    ...(price === undefined ? {} : { costMicroUsd: BigInt(Math.ceil(price)) }),
  });
}

interface UnderWay {
  /** Nothing but the model can come next. */
  readonly isAsked: boolean;
  readonly last: ModelUsage | undefined;
  readonly question: Question;
}

type Question = Pick<RunStarted, 'prompt' | 'model'>;

function underWay(entries: readonly ToldEntry[]): UnderWay {
  const open = new Set<string>();
  let isAsked = false;
  let last: ModelUsage | undefined;
  let question: Question = { prompt: '', model: '' };
  for (const { kind, payload } of entries) {
    if (kind === 'run.started') {
      question = fromJson(JOURNAL_KINDS[kind], payload, READ);
      isAsked = true;
    } else if (kind === 'run.resumed') {
      isAsked = open.size === 0;
    } else if (kind === 'model.message') {
      const message = fromJson(JOURNAL_KINDS[kind], payload, READ);
      last = message.usage ?? last;
      for (const { callId } of message.toolCalls) open.add(callId);
      // The last words of a run, or those of the very turn that was cut off.
      isAsked = false;
    } else if (kind === 'tool.finished') {
      open.delete(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
      isAsked = open.size === 0;
    } else if (kind === 'run.interrupted' || kind === 'run.ended') {
      isAsked = false;
    }
  }
  return { isAsked, last, question };
}
