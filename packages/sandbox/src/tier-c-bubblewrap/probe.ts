import type { Maker, TrialPlace } from '../proof/maker.ts';
import { WHOLE_LIST } from '../proof/probe-list.ts';
import { probeSandbox } from '../proof/probe-sandbox.ts';
import type { StepVerdict } from '../proof/verdict.ts';

/** Contract: proven only if every attack was tried, and was answered as it must be. */
export function probe(maker: Maker, place: TrialPlace): Promise<StepVerdict> {
  return probeSandbox(maker, WHOLE_LIST, place);
}
