import { create, fromJson } from '@bufbuild/protobuf';
import { type CallId, JOURNAL_KINDS, PalyraError, type RunId, parseId } from '@palyra/kernel';
import {
  type FileChange,
  FileChangeSchema,
  type Run,
  RunStatus,
  type UndoneFile,
  UndoneFileSchema,
  UndoOutcome,
} from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { JournalPort, PolicyPort, RunsPort, Toucher, UndoPort, UndoView } from '../ports.ts';
import { detailOf } from '../tool-call/5-attestation.ts';
import { archivedRun } from './archived-run.ts';
import { MadeFolders } from './made-folders.ts';
import { MayTouch } from './may-touch.ts';
import { draftOf } from './run-note.ts';
import { type Net, type NotedChange, possibleNets } from './net-changes.ts';
import { entriesOfRun } from './watch.ts';

export interface UndoRun {
  readonly runId: RunId;
  /** Absent: everything that the run changed. */
  readonly callId?: CallId;
}

export type UndoCaller = Actor & Toucher;

export interface UndoParts {
  readonly journal: JournalPort;
  readonly runs: RunsPort;
  readonly undo: UndoPort;
  readonly policy: PolicyPort;
}

/** Of one undo; each change is looked at twice. */
const MOST_CHANGES = 10_000;

/**
 * Gives every file back that a run, or one call of it, changed. All are looked at first, and none is
 * touched unless all can be given back; one that fails later takes those before it back again.
 * Contract: what is refused is an answer; rejects when the caller may not, or the run goes on.
 */
export async function undoRun(
  request: UndoRun,
  caller: UndoCaller,
  parts: UndoParts,
): Promise<readonly UndoneFile[]> {
  const run = await parts.runs.get(request.runId);
  if (run === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no run \`${request.runId}\``);
  }
  await new MayTouch(parts.policy).check(run, 'work.undo', caller);
  checkHasEnded(run);
  const looked: Looked[] = [];
  const { noted, made } = await changesOf(request, parts.journal);
  for (const nets of possibleNets(noted)) looked.push(await lookAt(nets, made, parts.undo));
  if (looked.some(({ view }) => view.kind === 'refused')) return looked.map(heldBack);
  return await restoreAll(looked, parts, noteFor(request, { run, caller, parts }));
}

interface Looked {
  readonly net: Net;
  readonly view: UndoView;
}

/** Puts a change on record before it is made. */
type Note = (made: FileChange) => Promise<void>;

function checkHasEnded(run: Run): void {
  if (run.status === RunStatus.ACTIVE) {
    throw new PalyraError('SESSION_BUSY', `run \`${run.runId}\` still goes on`, {
      help: `wait for its end, or stop it with \`palyra runs cancel ${run.runId}\``,
    });
  }
}

interface Changes {
  /** Oldest first. */
  readonly noted: readonly NotedChange[];
  /** By the whole run. */
  readonly made: MadeFolders;
}

/** Contract: refuses when the journal no longer tells the whole run, and a call that the run never made. */
async function changesOf({ runId, callId }: UndoRun, journal: JournalPort): Promise<Changes> {
  const noted: NotedChange[] = [];
  const made = new MadeFolders();
  let isWhole = false;
  let isKnown = callId === undefined;
  for await (const { kind, payload } of entriesOfRun(runId, 0, journal)) {
    isWhole ||= kind === 'run.started';
    if (!isWhole) throw archivedRun(runId);
    isKnown ||= kind === 'tool.proposed' && payload['callId'] === callId;
    if (kind !== 'file.changed' && kind !== 'file.restored') continue;
    const change = fromJson(JOURNAL_KINDS[kind], payload, { ignoreUnknownFields: true });
    if (kind === 'file.changed') made.add(change);
    if (callId !== undefined && change.callId !== callId) continue;
    noted.push({ change, isWayBack: kind === 'file.restored' });
    if (noted.length > MOST_CHANGES) throw tooMany(runId);
  }
  if (!isWhole) throw archivedRun(runId);
  if (!isKnown) throw new PalyraError('NOT_FOUND', `run \`${runId}\` made no call \`${callId}\``);
  return { noted, made };
}

/** What the changes of a file have come to, as the file tells; the likeliest where that tells nothing. */
async function lookAt(
  [likeliest, ...others]: readonly [Net, ...Net[]],
  made: MadeFolders,
  undo: UndoPort,
): Promise<Looked> {
  const look = async (net: Net): Promise<Looked> => {
    const whole = net.kind === 'change' ? { ...net, change: made.alongWith(net.change) } : net;
    return { net: whole, view: await viewOf(whole, undo) };
  };
  const first = await look(likeliest);
  if (first.view.kind !== 'refused') return first;
  for (const net of others) {
    const other = await look(net);
    if (other.view.kind !== 'refused') return other;
  }
  return first;
}

async function viewOf(net: Net, undo: UndoPort): Promise<UndoView> {
  switch (net.kind) {
    case 'mixed': {
      const path = `\`${net.path}\``;
      const message = `${path} was changed by somebody else between two changes of the run`;
      const help = 'undo the calls after that one by one, newest first';
      return { kind: 'refused', error: new PalyraError('CONFLICT', message, { help }) };
    }
    case 'change':
      return await undo.look(net.change);
  }
}

function noteFor(
  { runId, callId }: UndoRun,
  held: { readonly run: Run; readonly caller: UndoCaller; readonly parts: UndoParts },
): Note {
  const sessionId = parseId<'session'>(held.run.sessionId);
  if (sessionId === undefined) {
    throw new PalyraError('JOURNAL_CORRUPT', `run \`${runId}\` has no valid session`);
  }
  return async (made) => {
    const message = create(FileChangeSchema, { ...made, callId: callId ?? '' });
    const note = { kind: 'file.restored', actor: held.caller.actor, message } as const;
    await held.parts.journal.append([draftOf({ runId, sessionId }, note)]);
  };
}

async function restoreAll(
  looked: readonly Looked[],
  { undo }: UndoParts,
  note: Note,
): Promise<readonly UndoneFile[]> {
  const made: FileChange[] = [];
  const failed = new Map<Looked, PalyraError>();
  for (const each of looked) {
    if (each.net.kind !== 'change' || each.view.kind !== 'can-restore') continue;
    let noted: FileChange | undefined;
    const error = await undo.restore(each.net.change, async (change) => {
      await note(change);
      noted = change;
    });
    if (error !== undefined) {
      failed.set(each, error);
      break;
    }
    if (noted !== undefined) made.push(noted);
  }
  if (failed.size === 0) return looked.map(restored);
  for (const change of made.toReversed()) await takeBack(change, undo, note);
  return looked.map((each) => {
    const error = failed.get(each);
    return heldBack(error === undefined ? each : { ...each, view: { kind: 'refused', error } });
  });
}

async function takeBack(change: FileChange, undo: UndoPort, note: Note): Promise<void> {
  const error = await undo.restore(change, note);
  if (error === undefined) return;
  throw new PalyraError('UNEXPECTED', 'the undo failed and could not be taken back entirely', {
    cause: error,
    help: 'the entries `file.restored` in the journal name the files; every content is kept',
  });
}

function restored({ net, view }: Looked): UndoneFile {
  const outcome = view.kind === 'unchanged' ? UndoOutcome.UNCHANGED : UndoOutcome.RESTORED;
  return fileOf(net, outcome);
}

function heldBack({ net, view }: Looked): UndoneFile {
  switch (view.kind) {
    case 'unchanged':
      return fileOf(net, UndoOutcome.UNCHANGED);
    case 'can-restore':
      return fileOf(net, UndoOutcome.HELD_BACK);
    case 'refused':
      return { ...fileOf(net, UndoOutcome.REFUSED), error: detailOf(view.error) };
  }
}

function fileOf(net: Net, outcome: UndoOutcome): UndoneFile {
  const { path } = net;
  const beforeSha256 = net.kind === 'change' ? net.change.beforeSha256 : '';
  return create(UndoneFileSchema, { path, outcome, beforeSha256 });
}

function tooMany(runId: RunId): PalyraError {
  return new PalyraError(
    'INVALID_INPUT',
    `run \`${runId}\` made more than ${MOST_CHANGES} changes`,
    {
      help: 'undo its calls one by one, newest first',
    },
  );
}
