import type { Scale } from '../figure.ts';
import type { FigureName } from '../figures.ts';
import type { Circumstances } from '../machine.ts';
import type { Outcome } from '../outcome.ts';

export interface MeasuredFigure extends Outcome {
  readonly name: FigureName;
  readonly loadBefore: number;
  readonly seconds: number;
}

export interface Report extends Circumstances {
  /** Of the shape, for those who read it with a program. */
  readonly version: 1;
  readonly scale: Scale;
  readonly figures: readonly MeasuredFigure[];
}

export function verdictsOf({ figures }: Report): Outcome['verdicts'] {
  return figures.flatMap(({ verdicts }) => verdicts);
}
