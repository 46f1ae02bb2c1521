import type { SaidEvent } from '../model-port.ts';
import { toolNames } from '../names.ts';
import type { Wire, WireEnding } from '../wire.ts';

export interface ReadAll extends WireEnding {
  readonly said: readonly SaidEvent[];
}

/** What a reader makes of these events. */
export function readAll(wire: Wire, ...events: readonly unknown[]): ReadAll {
  const reader = wire.reader(toolNames([]));
  const said = events.flatMap((event) => [...reader.read(event, '')]);
  return { said, ...reader.end() };
}
