import type { ContextValues, ServiceImpl } from '@connectrpc/connect';
import type { Caller, Gateway } from '@palyra/gateway';
import type { Run, RunService, StartRunRequest, WatchRunRequest } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { heardEnough } from './patience.ts';
import { type OpenedRun, steeredRun } from './run-stream.ts';
import { optionalId, requireId, toCount, toExcerpt, toSequence } from './wire-words.ts';

/** Five hundred runs fit into the smallest message that may be set, and nobody reads more in a list. */
const MOST_LISTED_PROMPT = 500;
const LIST_BOUNDS = { field: 'limit', whenZero: 50, most: 500 } as const;

/** Several of them fit beside others into the smallest message that may be set. */
const PAGE = { field: 'limit', whenZero: 65_536, most: 1_048_576 } as const;
/** A run goes on when its caller goes away: it is durable, and only the watching ends. */
export function runService(gateway: Gateway): ServiceImpl<typeof RunService> {
  const { runs } = gateway;
  const doorsFor = (values: ContextValues) => doorsOf(gateway, callerIn(values));
  return {
    runStream: (commands, { signal, values }) =>
      steeredRun(doorsFor(values), commands, { signal, onFirst: values.get(heardEnough) }),
    async *startRun(request, { signal, values }) {
      yield* (await doorsFor(values).start(request)).events(signal);
    },
    async *watchRun(request, { signal, values }) {
      yield* doorsFor(values).watch(request).events(signal);
    },
    async *watchRuns(request, { signal, values }) {
      yield* gateway.watchRuns(request.runs.map(watched), callerIn(values), signal);
    },
    async *resumeRun(request, { signal, values }) {
      yield* (await doorsFor(values).resume(request)).events(signal);
    },
    cancelRun: async (request, { values }) => ({ run: await doorsFor(values).cancel(request) }),
    async getRun(request, { values }) {
      return { run: await runs.get(requireId(request.runId, 'run_id'), callerIn(values)) };
    },
    async listRuns(request, { values }) {
      const limit = toCount(request.limit, LIST_BOUNDS);
      const sessionId = optionalId<'session'>(request.sessionId, 'session_id');
      const before = optionalId<'run'>(request.beforeRunId, 'before_run_id');
      const query = {
        limit,
        ...(sessionId !== undefined && { sessionId }),
        ...(before !== undefined && { before }),
      };
      const found = await runs.list(query, callerIn(values));
      return { runs: found.map(listed) };
    },
    async getAttestation(request, { values }) {
      const callId = requireId<'call'>(request.callId, 'call_id');
      const found = await gateway.attestationOf(callId, callerIn(values));
      const { attestation, envelope, entry } = found;
      return { attestation, envelope, entryId: entry.id, sequence: BigInt(entry.sequence) };
    },
    async readArtifact(request, { values }) {
      const runId = requireId<'run'>(request.runId, 'run_id');
      const offset = toSequence(request.offset, 'offset');
      const wish = { runId, sha256: request.sha256, offset, length: toCount(request.limit, PAGE) };
      const { size, ...page } = await gateway.readArtifact(wish, callerIn(values));
      return { ...page, size: BigInt(size) };
    },
    async undoRun(request, { values }) {
      const runId = requireId<'run'>(request.runId, 'run_id');
      const callId = optionalId<'call'>(request.callId, 'call_id');
      const undo = callId === undefined ? { runId } : { runId, callId };
      return { files: [...(await gateway.undoRun(undo, callerIn(values)))] };
    },
  };
}

/** `getRun` answers with the whole prompt. */
function listed(run: Run): Run {
  return { ...run, prompt: toExcerpt(run.prompt, MOST_LISTED_PROMPT) };
}

function doorsOf(gateway: Gateway, caller: Caller) {
  const { runs } = gateway;
  return {
    start: (request: StartRunRequest) => startRun(gateway, caller, request),
    watch: (request: WatchRunRequest) => watchRun(gateway, caller, request),
    resume: (request: { runId: string }) => runs.resume(requireId(request.runId, 'run_id'), caller),
    cancel: (request: { runId: string }) => runs.cancel(requireId(request.runId, 'run_id'), caller),
  };
}

function startRun(gateway: Gateway, caller: Caller, request: StartRunRequest): Promise<OpenedRun> {
  const { prompt, model, workspace, mayWait } = request;
  const sessionId = optionalId<'session'>(request.sessionId, 'session_id');
  const images = request.images.map(({ mediaType, data }) => ({
    mediaType,
    bytes: new Uint8Array(data),
  }));
  const whenBusy = mayWait ? 'wait' : 'refuse';
  const wish = { prompt, model, images, workspace, whenBusy } as const;
  return gateway.runs.start(sessionId === undefined ? wish : { ...wish, sessionId }, caller);
}

function watchRun(gateway: Gateway, caller: Caller, request: WatchRunRequest): OpenedRun {
  const wanted = watched(request);
  return { ...wanted, events: (signal) => gateway.runs.watch(wanted, caller, signal) };
}

function watched({ runId, afterSequence }: WatchRunRequest) {
  return {
    runId: requireId<'run'>(runId, 'run_id'),
    after: toSequence(afterSequence, 'after_sequence'),
  };
}
