import type { JournalPort } from '../ports.ts';
import type { RecordedDecisions } from './ports.ts';

const PAGE = 512;

/** Decisions of every tool call from `since` on. Archived ones are not read. */
export function recordedDecisions(
  journal: JournalPort,
  since: Date | undefined,
): RecordedDecisions {
  const from = since?.toISOString() ?? '';
  const { sequence: end } = journal.tip();
  return {
    total: end,
    async *read(signal) {
      let cursor = 0;
      while (cursor < end) {
        signal.throwIfAborted();
        const page = await journal.page({ after: cursor, limit: PAGE });
        const last = page.at(-1);
        if (last === undefined) return;
        const decisions = page
          .filter(({ kind, time, sequence }) => {
            return kind === 'tool.decided' && time >= from && sequence <= end;
          })
          .map(({ id, canonical }) => ({ id, canonical }));
        yield { entries: last.sequence - cursor, decisions };
        cursor = last.sequence;
      }
    },
  };
}
