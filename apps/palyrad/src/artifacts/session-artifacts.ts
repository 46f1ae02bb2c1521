import type { JournalPort, RunsPort } from '@palyra/gateway';
import { type JsonObject, parseId } from '@palyra/kernel';

export interface SessionArtifactsParts {
  readonly runs: Pick<RunsPort, 'list'>;
  readonly journal: Pick<JournalPort, 'page'>;
}

/** Contract: how many bytes it has; `undefined` unless a call of this session, for this principal, left it. */
export type SizeInSession = (
  session: { readonly sessionId: string; readonly principal: string },
  sha256: string,
) => Promise<number | undefined>;

/** The newest of a session; what older ones left is no longer found. */
const MAX_RUNS = 100;
/** Of one run; one that goes on longer is looked through up to here. */
const MAX_PAGES = 200;
const PAGE = 200;

/** Which artifacts are whose, as the journal tells it: there is no other list that could differ from it. */
export function sessionArtifacts({ runs, journal }: SessionArtifactsParts): SizeInSession {
  return async ({ sessionId: given, principal }, sha256) => {
    const sessionId = parseId<'session'>(given);
    if (sessionId === undefined) return undefined;
    const known = await runs.list({ sessionId, limit: MAX_RUNS });
    for (const run of known) {
      const runId = parseId<'run'>(run.runId);
      if (runId === undefined || run.principal !== principal) continue;
      const size = await sizeInRun({ journal, runId, sha256 });
      if (size !== undefined) return size;
    }
    return undefined;
  };
}

interface Wanted {
  readonly journal: SessionArtifactsParts['journal'];
  readonly runId: NonNullable<Parameters<JournalPort['page']>[0]['runId']>;
  readonly sha256: string;
}

async function sizeInRun({ journal, runId, sha256 }: Wanted): Promise<number | undefined> {
  let after = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const entries = await journal.page({ after, limit: PAGE, runId });
    const found = entries.find(
      ({ kind, payload }) => kind === 'tool.finished' && payload['artifactSha256'] === sha256,
    );
    if (found !== undefined) return bytesIn(found.payload);
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return undefined;
    after = last.sequence;
  }
  return undefined;
}

/** 64 bits are a text in JSON. */
function bytesIn(payload: JsonObject): number {
  const bytes = Number(payload['artifactBytes']);
  return Number.isSafeInteger(bytes) ? bytes : 0;
}
