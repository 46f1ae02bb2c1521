import type { JsonObject } from '@palyra/kernel';
import { ModelFailure } from './failure.ts';
import type { SaidEvent } from './model-port.ts';
import type { ToolOf } from './names.ts';
import type { TokenCounts } from './price.ts';
import type { ToolCallDrafts } from './tool-calls.ts';
import type { WireEnding } from './wire.ts';

/** What a stream that came to its end amounts to, in the words that all providers share. */
export type Finish =
  | 'complete'
  | 'output-limit'
  | 'refused'
  | 'context-too-long'
  | 'cut'
  | 'malformed';

export interface ReadAnswer {
  readonly finish: Finish;
  readonly counts: TokenCounts | undefined;
  readonly calls: ToolCallDrafts;
  readonly toolOf: ToolOf;
  readonly keepsake?: readonly JsonObject[] | undefined;
}

export function endingOf(answer: ReadAnswer): WireEnding {
  const { finish, counts, calls, toolOf, keepsake } = answer;
  const failure = failureOfFinish(finish);
  const counted = counts === undefined ? {} : { counts };
  if (failure !== undefined) {
    const lost = calls.bytes === 0 ? {} : { lostBytes: calls.bytes };
    return { ...counted, ...lost, toolCalls: [], failure };
  }
  const kept = keepsake === undefined ? {} : { keepsake };
  return { ...counted, ...kept, toolCalls: calls.events(toolOf) };
}

function failureOfFinish(finish: Finish): ModelFailure | undefined {
  switch (finish) {
    case 'complete':
      return undefined;
    case 'output-limit':
      return new ModelFailure(
        'output-limit',
        'the answer of the model was cut at its output limit',
      );
    case 'refused':
      return new ModelFailure('refused', 'the provider stopped the answer as not allowed');
    case 'context-too-long':
      return new ModelFailure(
        'context-too-long',
        'the conversation and the answer are longer than the model can hold',
      );
    case 'cut':
      return new ModelFailure('broken-stream', 'the answer of the model broke off before its end');
    case 'malformed':
      return new ModelFailure('broken-stream', 'the model wrote a tool call that cannot be read');
  }
}

export function said(kind: 'text' | 'reasoning', text: string | undefined): readonly SaidEvent[] {
  return text === undefined || text === '' ? [] : [{ kind, text }];
}
