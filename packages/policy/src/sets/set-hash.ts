import { hash } from 'node:crypto';
import { canonicalBytes } from '@palyra/kernel';
import { LAYERS, type ModeInForce, type PolicyFile } from '../model.ts';

export const SET_FORMAT = 'palyra.policy.v1';

export interface SetTexts {
  readonly mode: ModeInForce;
  readonly schema: string;
  readonly files: readonly PolicyFile[];
}

/** Names a set by everything that decides: the same texts have the same hash, in whatever order. */
export function setHash({ mode, schema, files }: SetTexts): string {
  const sorted = inOrder(files).map(({ layer, name, text }) => ({ layer, name, text }));
  const bytes = canonicalBytes({ format: SET_FORMAT, mode, schema, files: sorted });
  return hash('sha256', bytes, 'hex');
}

/** By layer, then by name. */
export function inOrder(files: readonly PolicyFile[]): readonly PolicyFile[] {
  return files.toSorted(
    (a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || compareNames(a.name, b.name),
  );
}

function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
