import { randomUUID } from 'node:crypto';
import { type Stats, fstatSync, opendirSync, unlinkSync } from 'node:fs';
import { DRAFT_PREFIX } from './names.ts';
import { type OpenWorkspace, below } from './open-workspace.ts';
import { type OpenedFolder, openPlace, pathIn } from './place.ts';
import { explain } from './refusals.ts';
import { READ, ownerMay } from './rights.ts';

/** Of one folder; where there are more, what a crash has left may stay. */
const MAX_NAMES = 4_096;

/** The id of a call, which those of older versions lack, and what is different in each. */
const REST = /^(?:[0-9A-Z]{26}-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** No other draft or backup ever has it. */
export function draftName(callId: string): string {
  return `${prefixFor(callId)}${randomUUID()}`;
}

function prefixFor(callId: string): string {
  return `${DRAFT_PREFIX}${callId}-`;
}

/** Removes those of one call, which has ended. Contract: throws PalyraErrors; what may not be removed stays. */
export function removeDraftsOf(
  callId: string,
  workspace: OpenWorkspace,
  folder: OpenedFolder,
): void {
  if (!ownerMay(workspace.owner, folder.stats, READ)) return;
  try {
    for (const name of draftsIn(folder).filter((draft) => draft.startsWith(prefixFor(callId)))) {
      using place = openPlace(folder, name);
      if (place === undefined || !isOurs(workspace, place.stats)) continue;
      unlinkSync(below(folder.descriptor, name));
    }
  } catch (error) {
    throw explain(error, pathIn(folder, '.'));
  }
}

/**
 * Removes the drafts and backups that a crash has left in a folder. By their age, as the file system
 * itself counts it: whose they are cannot be told, since another gateway, of another machine even, may
 * work in the same folder. A call that is still at work with one after so long loses nothing: it is
 * refused as a CONFLICT, or, once it has begun to make its changes, the old content is kept for undo.
 * Contract: for a folder that was changed just now; what may not be removed stays.
 */
export function removeAbandoned(
  workspace: OpenWorkspace,
  folder: OpenedFolder,
  draftMs: number,
): void {
  if (!ownerMay(workspace.owner, folder.stats, READ)) return;
  try {
    const nowMs = fstatSync(folder.descriptor).ctimeMs;
    for (const name of draftsIn(folder)) {
      using place = openPlace(folder, name);
      if (place === undefined || !isOurs(workspace, place.stats)) continue;
      // A new name, too, is a change to it: whatever was made since is younger by this clock.
      if (nowMs - place.stats.ctimeMs < draftMs) continue;
      unlinkSync(below(folder.descriptor, name));
    }
  } catch (error) {
    if (explain(error, pathIn(folder, '.')).code === 'UNEXPECTED') throw error;
  }
}

function draftsIn(folder: OpenedFolder): readonly string[] {
  using names = opendirSync(below(folder.descriptor, '.'), { bufferSize: 256 });
  const drafts: string[] = [];
  for (let count = 0; count < MAX_NAMES; count += 1) {
    const name = names.readSync()?.name;
    if (name === undefined) break;
    const isDraft = name.startsWith(DRAFT_PREFIX) && REST.test(name.slice(DRAFT_PREFIX.length));
    if (isDraft) drafts.push(name);
  }
  return drafts;
}

/**
 * A file of whoever works here. It may have other names: a backup is a second one of the file that it
 * stands for, and to take one of several away loses nothing.
 */
function isOurs({ owner, device }: OpenWorkspace, stats: Stats): boolean {
  const isTheirs = stats.uid === owner.uid || stats.uid === process.getuid?.();
  return stats.isFile() && stats.dev === device && isTheirs;
}
