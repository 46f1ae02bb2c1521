import { create } from '@bufbuild/protobuf';
import { type FileChange, FileChangeSchema } from '@palyra/protocol';

/** What several changes of one file come to: the same path in another workspace is another file. */
export type Net =
  /** With the same content at both ends where it ended as it had begun. */
  | { readonly kind: 'change'; readonly path: string; readonly change: FileChange }
  /** Somebody else changed it in between, so there is no one state to go back to. */
  | { readonly kind: 'mixed'; readonly path: string };

/** A change of a file as it is on record: before it was made. */
export interface NotedChange {
  readonly change: FileChange;
  /** It takes another one back. */
  readonly isWayBack: boolean;
}

/** Contract: `changes` come oldest first; the file that was changed last comes out first. */
export function netChanges(changes: readonly FileChange[]): readonly Net[] {
  return byFile(changes, (change) => change).map(netOf);
}

/**
 * For each file all that its changes may have come to, likeliest first: a way back is on record before
 * it is gone, and a crash or a fault may have kept it from that. Which it was, the file itself tells.
 * Contract: as of `netChanges`.
 */
export function possibleNets(noted: readonly NotedChange[]): readonly (readonly [Net, ...Net[]])[] {
  return byFile(noted, ({ change }) => change).map((history) => {
    const lastChange = history.findLastIndex(({ isWayBack }) => !isWayBack);
    const changes = history.map(({ change }) => change);
    const shorter = changes.map((_, end) => changes.slice(0, end)).slice(lastChange + 1);
    return [netOf(changes), ...shorter.toReversed().filter(isSome).map(netOf)];
  });
}

function isSome(changes: readonly FileChange[]): boolean {
  return changes.length > 0;
}

/** Each with its changes, oldest first; the file that was changed last comes first. */
function byFile<Item>(
  items: readonly Item[],
  changeOf: (item: Item) => FileChange,
): readonly (readonly Item[])[] {
  const files = new Map<string, Item[]>();
  for (const item of items.toReversed()) {
    const { workspace, path } = changeOf(item);
    const key = `${workspace?.number ?? ''} ${path}`;
    files.set(key, [item, ...(files.get(key) ?? [])]);
  }
  return [...files.values()];
}

/** Contract: at least one. */
function netOf(changes: readonly FileChange[]): Net {
  return changes
    .toReversed()
    .map((change): Net => ({ kind: 'change', path: change.path, change: withMode(change) }))
    .reduce(joined);
}

function joined(newer: Net, older: Net): Net {
  if (newer.kind !== 'change' || older.kind !== 'change') return newer;
  const { beforeSha256, afterSha256 } = newer.change;
  if (older.change.afterSha256 === beforeSha256) {
    const modes = modesOf(newer.change, older.change);
    const change = create(FileChangeSchema, { ...older.change, afterSha256, ...modes });
    return { kind: 'change', path: change.path, change };
  }
  // A change is on record before it is made: this one never was, so the newer one began where it did.
  if (older.change.beforeSha256 === beforeSha256) return newer;
  return { kind: 'mixed', path: older.path };
}

/**
 * A mode that somebody set between the two is theirs, so it is the one to go back to. A file that the older
 * one made has none to go back to: it counts as changed since.
 */
function modesOf(
  newer: FileChange,
  older: FileChange,
): Pick<FileChange, 'beforeMode' | 'afterMode'> {
  const isTheirs = newer.beforeSha256 !== '' && older.afterMode !== newer.beforeMode;
  if (!isTheirs) return { beforeMode: older.beforeMode, afterMode: newer.afterMode };
  if (older.beforeSha256 === '') return { beforeMode: 0, afterMode: older.afterMode };
  return { beforeMode: newer.beforeMode, afterMode: newer.afterMode };
}

/** Entries of before do not tell the mode that a change left: it was the one before it, or the usual one. */
function withMode(change: FileChange): FileChange {
  if (change.afterSha256 === '' || change.afterMode !== 0) return change;
  const afterMode = change.beforeSha256 === '' ? USUAL_MODE : change.beforeMode;
  return create(FileChangeSchema, { ...change, afterMode });
}

const USUAL_MODE = 0o644;
