import { type Memory, compactable } from './memory.ts';
import { tellUnits } from './tell.ts';
import { tokensOf } from './tokens.ts';
import type { Unit } from './units.ts';

/** Where a conversation is cut: everything up to an entry is told in short. */
export interface Cut {
  readonly throughSequence: number;
  readonly left: readonly Unit[];
}

/** As much of the room as the newest part may take. */
const KEPT = 0.25;

/** Contract: the newest unit always stays; `undefined` when nothing else could go. */
export function chooseCut(memory: Memory, room: number): Cut | undefined {
  const units = compactable(memory);
  let kept = units.length - 1;
  let tokens = kept >= 0 ? sizeOf(units[kept], memory) : 0;
  while (kept > 0) {
    tokens += sizeOf(units[kept - 1], memory);
    if (tokens > KEPT * room) break;
    kept -= 1;
  }
  if (kept <= 0) return undefined;
  const throughSequence = Math.max(...units.slice(0, kept).map(({ sequence }) => sequence));
  // A run that was resumed late has units that come before others and are newer.
  const left = units.filter(({ sequence }) => sequence <= throughSequence);
  return { throughSequence, left };
}

function sizeOf(unit: Unit | undefined, { images }: Memory): number {
  return unit === undefined ? 0 : tokensOf(tellUnits([unit], images));
}
