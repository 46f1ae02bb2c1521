import { create, fromJson } from '@bufbuild/protobuf';
import { type EntryDraft, JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import { ModelMessageSchema, ModelSpokenSchema, type ModelUsage } from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { ACTORS, type RunIdentity, draftOf } from './run-note.ts';
import { entriesOfRun } from './watch.ts';

/** A piece of an answer that goes on; `usage` is of all of it so far. */
export function spokenPiece(
  run: RunIdentity,
  text: string,
  usage: ModelUsage | undefined,
): EntryDraft {
  const message = create(ModelSpokenSchema, { text, ...(usage === undefined ? {} : { usage }) });
  return draftOf(run, { kind: 'model.spoken', actor: ACTORS.agent, message });
}

/** After a crash: what had been spoken of an answer becomes a message that was cut off. */
export async function keepSpoken(run: RunIdentity, journal: JournalPort): Promise<void> {
  const pieces: SealedEntry[] = [];
  for await (const entry of entriesOfRun(run.runId, 0, journal)) {
    if (entry.kind === 'model.message') pieces.length = 0;
    else if (entry.kind === 'model.spoken') pieces.push(entry);
  }
  if (pieces.length > 0) await journal.append([cutOff(run, pieces)]);
}

function cutOff(run: RunIdentity, pieces: readonly SealedEntry[]): EntryDraft {
  const said = pieces.map(({ payload }) => fromJson(JOURNAL_KINDS['model.spoken'], payload, READ));
  const text = said.map((piece) => piece.text).join('');
  const usage = said.at(-1)?.usage;
  const told = { text, isPartial: true, ...(usage === undefined ? {} : { usage }) };
  const message = create(ModelMessageSchema, told);
  return draftOf(run, { kind: 'model.message', actor: ACTORS.agent, message });
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;
