import type { ModelAskedAgain, ModelUsage } from '@palyra/protocol';
import { inline } from './words.ts';

/** Why there is nothing to hear from the model, and until when. */
export function askedAgainWords({ model, waitMs, reason }: ModelAskedAgain): string {
  const when = waitMs === 0n ? 'is asked now' : `is asked again in ${secondsWords(waitMs)}`;
  return `${inline(model)} ${when}: ${inline(reason)}`;
}

/** Who answered in place of the model of the run; empty when nobody did. */
export function saidByWords(usage: ModelUsage | undefined): string {
  const model = usage?.model ?? '';
  return model === '' ? '' : `said by ${inline(model)}, which was asked in its place`;
}

function secondsWords(waitMs: bigint): string {
  const seconds = Number(waitMs) / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.ceil(seconds)} s`;
}
