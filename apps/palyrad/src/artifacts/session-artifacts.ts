import type { JournalPort, RunsPort, SessionsPort } from '@palyra/gateway';
import { type JsonObject, type RunId, type SessionId, parseId } from '@palyra/kernel';
import type { Run } from '@palyra/protocol';

export interface SessionArtifactsParts {
  readonly runs: Pick<RunsPort, 'list' | 'get'>;
  readonly sessions: Pick<SessionsPort, 'find'>;
  readonly journal: Pick<JournalPort, 'page'>;
}

/**
 * Contract: how many bytes it has; `undefined` unless a call of this session, or of the past that it
 * was branched with, left it for this principal.
 */
export type SizeInSession = (
  session: { readonly sessionId: string; readonly principal: string },
  sha256: string,
) => Promise<number | undefined>;

/** The newest of a session and of what it was branched from; what older ones left is no longer found. */
const MAX_RUNS = 100;
/** Of one run; one that goes on longer is looked through up to here. */
const MAX_PAGES = 200;
const PAGE = 200;

/**
 * Which artifacts are whose, as the journal tells it: there is no other list that could differ from it. Who
 * goes on with a session is for the rules; what their agent is given of its past is their own, whatever rules say.
 */
export function sessionArtifacts(parts: SessionArtifactsParts): SizeInSession {
  const { journal } = parts;
  return async ({ sessionId: given, principal }, sha256) => {
    const sessionId = parseId<'session'>(given);
    if (sessionId === undefined) return undefined;
    let looked = 0;
    for await (const run of runsBehind(sessionId, parts)) {
      looked += 1;
      if (looked > MAX_RUNS) return undefined;
      const runId = parseId<'run'>(run.runId);
      if (runId === undefined || run.principal !== principal) continue;
      const size = await sizeInRun({ journal, runId, sha256 });
      if (size !== undefined) return size;
    }
    return undefined;
  };
}

/** Newest first: those of the session, then those of the one it was branched from, up to that point. */
async function* runsBehind(
  sessionId: SessionId,
  { runs, sessions }: SessionArtifactsParts,
): AsyncGenerator<Run> {
  let place: Place | undefined = { sessionId };
  while (place !== undefined) {
    yield* await runs.list({ ...place, limit: MAX_RUNS });
    const session = await sessions.find(place.sessionId);
    const before = parseId<'run'>(session?.branchedFromRunId ?? '');
    const origin = before === undefined ? undefined : await runs.get(before);
    const from = parseId<'session'>(origin?.sessionId ?? '');
    if (origin !== undefined) yield origin;
    place = from === undefined || before === undefined ? undefined : { sessionId: from, before };
  }
}

interface Place {
  readonly sessionId: SessionId;
  readonly before?: RunId;
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
