import { Capability, type ToolProposal } from '@palyra/protocol';
import type { Proposed } from '../../tool-call/1-proposal.ts';
import type { ToolManifest } from '../../ports.ts';

/** What a call touches, as far as that is known before it runs. */
export type Effects =
  /** Anything: nothing else may go on beside it. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly reads: Paths; readonly writes: Paths };

/** Each as the names on the way, from the workspace. */
type Paths = readonly (readonly string[])[];

const UNKNOWN: Effects = { kind: 'unknown' };
const EVERYTHING: Paths = [[]];
const NONE: Effects = { kind: 'known', reads: [], writes: [] };

/** Contract: `manifest` is that of the proposed tool. */
export function effectsOf(proposed: Proposed, manifest: ToolManifest | undefined): Effects {
  // It is refused: nothing of it runs.
  if (proposed.kind === 'unsound') return NONE;
  const { facts } = proposed.proposal;
  if (manifest === undefined || facts === undefined) return UNKNOWN;
  const effects = isFetch(proposed.proposal, manifest) ? 'reads' : manifest.effects;
  if (effects === 'unknown') return UNKNOWN;
  const reads = pathsOf(facts.reads);
  const writes = pathsOf(facts.writes);
  // What reads only meets what writes, wherever its path leads.
  if (effects === 'reads') return { kind: 'known', reads: reads ?? EVERYTHING, writes: [] };
  if (reads === undefined || writes === undefined) return UNKNOWN;
  // It changes something that no path tells of.
  return writes.length === 0 ? UNKNOWN : { kind: 'known', reads, writes };
}

/** A request that by its method changes nothing, of a tool that can do nothing else. */
function isFetch({ capabilities, facts }: ToolProposal, { source }: ToolManifest): boolean {
  const method = facts?.http?.method ?? '';
  return (
    source === 'built-in' &&
    (method === 'GET' || method === 'HEAD') &&
    facts?.process === undefined &&
    capabilities.every((capability) => capability === Capability.NETWORK)
  );
}

/** Whether two calls at once could come out differently than one after the other. */
export function canMeet(one: Effects, other: Effects): boolean {
  if (one.kind === 'unknown' || other.kind === 'unknown') return true;
  return (
    overlap(one.writes, other.writes) ||
    overlap(one.writes, other.reads) ||
    overlap(one.reads, other.writes)
  );
}

/** `undefined` for paths that do not begin in the workspace: they may lead back into it. */
function pathsOf(paths: readonly string[]): Paths | undefined {
  const parts = paths.map((path) => path.split('/').filter((name) => name !== '.' && name !== ''));
  const isOutside = paths.some(
    (path, place) => path.startsWith('/') || parts[place]?.includes('..'),
  );
  // Where names differ only in spelling, a disk may take them for one.
  return isOutside ? undefined : parts.map((names) => names.map(fold));
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function overlap(some: Paths, others: Paths): boolean {
  return some.some((one) =>
    others.some((other) => isAtOrBelow(one, other) || isAtOrBelow(other, one)),
  );
}

function isAtOrBelow(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((name, place) => path[place] === name);
}
