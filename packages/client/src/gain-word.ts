import { GainKind } from '@palyra/protocol';

const GAINED: ReadonlyMap<GainKind, string> = new Map([
  [GainKind.TOOL, 'tool'],
  [GainKind.HOST, 'host'],
  [GainKind.WRITE_ROOT, 'write root'],
  [GainKind.SECRET, 'secret'],
  [GainKind.GATE_REMOVED, 'gate removed'],
  [GainKind.OTHER, 'other'],
  [GainKind.POSSIBLE, 'possibly more'],
]);

/** Where the same is told of what is lost, these two turn round. */
const LOST: ReadonlyMap<GainKind, string> = new Map([
  ...GAINED,
  [GainKind.GATE_REMOVED, 'gate added'],
  [GainKind.POSSIBLE, 'possibly less'],
]);

/** What kind of thing a change of rules gives or takes, in a word. */
export function gainWord(kind: GainKind, way: 'gained' | 'lost'): string {
  return (way === 'gained' ? GAINED : LOST).get(kind) ?? `unknown (${kind})`;
}
