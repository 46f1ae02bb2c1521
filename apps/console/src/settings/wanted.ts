import { type ConfigKey, ConfigLayer } from '@palyra/protocol';

export type Wanted = 'all' | 'set';

/** Whether a setting is among those that were asked for. */
export function isWanted(setting: ConfigKey, text: string, wanted: Wanted): boolean {
  if (wanted === 'set' && !isSetBySomebody(setting)) return false;
  const words = text.trim().toLowerCase();
  return `${setting.key} ${setting.description}`.toLowerCase().includes(words);
}

export function isSetBySomebody({ origin }: ConfigKey): boolean {
  const layer = origin?.layer ?? ConfigLayer.UNSPECIFIED;
  return layer !== ConfigLayer.BUILT_IN && layer !== ConfigLayer.UNSPECIFIED;
}
