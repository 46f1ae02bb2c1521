import { create } from '@bufbuild/protobuf';
import { type FileChange, FileChangeSchema } from '@palyra/protocol';

/** What several changes of one file come to: the same path in another workspace is another file. */
export type Net =
  | { readonly kind: 'change'; readonly path: string; readonly change: FileChange }
  /** It ended as it had begun. */
  | { readonly kind: 'none'; readonly path: string }
  /** Somebody else changed it in between, so there is no one state to go back to. */
  | { readonly kind: 'mixed'; readonly path: string };

/** Contract: `changes` come oldest first; the file that was changed last comes out first. */
export function netChanges(changes: readonly FileChange[]): readonly Net[] {
  const nets = new Map<string, Net>();
  for (const change of changes.toReversed()) {
    const key = `${change.workspace?.number ?? ''} ${change.path}`;
    const newer = nets.get(key);
    nets.set(key, newer === undefined ? netOf(change) : joined(change, newer));
  }
  return [...nets.values()].map(settled);
}

function netOf(change: FileChange): Net {
  return { kind: 'change', path: change.path, change };
}

function joined(older: FileChange, newer: Net): Net {
  if (newer.kind !== 'change') return newer;
  const { beforeSha256, afterSha256 } = newer.change;
  if (older.afterSha256 === beforeSha256) {
    return netOf(create(FileChangeSchema, { ...older, afterSha256 }));
  }
  // A change is on record before it is made: this one never was, so the newer one began where it did.
  if (older.beforeSha256 === beforeSha256) return newer;
  return { kind: 'mixed', path: older.path };
}

function settled(net: Net): Net {
  const isNone = net.kind === 'change' && net.change.beforeSha256 === net.change.afterSha256;
  return isNone ? { kind: 'none', path: net.path } : net;
}
