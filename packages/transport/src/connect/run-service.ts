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
      const query = sessionId === undefined ? { limit } : { limit, sessionId };
      const found = await runs.list(query, callerIn(values));
      return { runs: found.map(listed) };
    },
    async getAttestation(request, { values }) {
      const callId = requireId<'call'>(request.callId, 'call_id');
      const found = await gateway.attestationOf(callId, callerIn(values));
      const { attestation, envelope, entry } = found;
      return { attestation, envelope, entryId: entry.id, sequence: BigInt(entry.sequence) };
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
  const { prompt, model, mayWait } = request;
  const sessionId = optionalId<'session'>(request.sessionId, 'session_id');
  const images = request.images.map(({ mediaType, data }) => ({
    mediaType,
    bytes: new Uint8Array(data),
  }));
  const wish = { prompt, model, images, whenBusy: mayWait ? 'wait' : 'refuse' } as const;
  return gateway.runs.start(sessionId === undefined ? wish : { ...wish, sessionId }, caller);
}

function watchRun(gateway: Gateway, caller: Caller, request: WatchRunRequest): OpenedRun {
  const runId = requireId<'run'>(request.runId, 'run_id');
  const after = toSequence(request.afterSequence, 'after_sequence');
  return { runId, events: (signal) => gateway.runs.watch({ runId, after }, caller, signal) };
}
