import { create } from '@bufbuild/protobuf';
import type { Blobs } from '@palyra/blobs';
import { type ServeOptions, lookupOnSystem, parseHostRules, takingTurns } from '@palyra/egress';
import type { Execution, SandboxRequest } from '@palyra/gateway';
import { type Log, PalyraError, sha256Hex } from '@palyra/kernel';
import { CallPreviewSchema, Executor } from '@palyra/protocol';
import {
  type HttpSettings,
  type ToolOutput,
  type WebPort,
  createReadableText,
  runHttpFetch,
} from '@palyra/tools';
import type { OwnTools } from '../carry-out.ts';
import { ownExecution } from '../own-execution.ts';
import { webFor } from './web.ts';

export interface HttpToolParts extends ServeOptions {
  readonly settings: HttpSettings;
  readonly blobs: Pick<Blobs, 'put'>;
}

const CONNECTED =
  'no program was started; each name was looked up once, every address checked, and a checked one dialled';
/** INVARIANT: only what was seen; it is signed. */
const ENFORCEMENT = {
  nobody: 'no program was started; no connection came about, and no request was sent',
  http: `${CONNECTED}, without TLS`,
  https: `${CONNECTED}, and TLS verified`,
} as const;
/** Names that are looked up at once for all calls. */
const LOOKUPS = 2;

/**
 * Fetches from the web in the gateway itself, by the way out that sandboxes have. It parses nothing but
 * HTTP here; pages are read in a thread of their own.
 * Contract: throws INVALID_INPUT for a listed address that is none.
 */
export function createHttpTool({ settings, blobs, ...options }: HttpToolParts): OwnTools {
  const listed = parseHostRules(settings.private_addresses);
  const lookup = takingTurns(options.lookup ?? lookupOnSystem, LOOKUPS);
  const web = { ...options, lookup, listed };
  const readableText = createReadableText();
  const limits = { maxBytes: settings.max_bytes, timeoutMs: settings.timeout_ms };
  const executor = Executor.GATEWAY;
  const run = async (request: SandboxRequest, signal: AbortSignal): Promise<Fetched> => {
    const watched = watchedWeb(webFor(request, web));
    const hands = { web: watched.web, readableText, limits };
    const output = await runHttpFetch(request.arguments, hands, signal);
    return { output, enforcement: ENFORCEMENT[watched.reached()] };
  };
  return {
    carriesOut: (tool) => tool === 'http.fetch',
    place: { tier: 'none', executor },
    preview: async () => create(CallPreviewSchema, { executor, posture: POSTURE }),
    execute: async (request, signal) =>
      await executionOf(await run(request, signal), { blobs, log: options.log }),
  };
}

const POSTURE =
  'no cage: the gateway itself sends the request, to addresses that are public or listed, over verified TLS where the address says https';

interface Fetched {
  readonly output: ToolOutput;
  readonly enforcement: string;
}

/** Remembers how somebody was reached. */
function watchedWeb(web: WebPort) {
  let reached: keyof typeof ENFORCEMENT = 'nobody';
  const watched: WebPort = {
    reach: async (to, signal) => {
      const connection = await web.reach(to, signal);
      reached = to.scheme;
      return connection;
    },
  };
  return { web: watched, reached: () => reached };
}

interface Keeping {
  readonly blobs: Pick<Blobs, 'put'>;
  readonly log: Log;
}

async function executionOf(
  { output, enforcement }: Fetched,
  { blobs, log }: Keeping,
): Promise<Execution> {
  const execution = ownExecution(output, enforcement);
  if (output.kind !== 'succeeded' || output.artifact === undefined) return execution;
  const { artifact } = output;
  try {
    const sha256 = await blobs.put(artifact);
    return { ...execution, artifact: { sha256, bytes: artifact.length } };
  } catch (reason) {
    const error = PalyraError.from(reason);
    const { code, message } = error;
    log.warn('what was fetched was not kept', {
      code,
      reason: message,
      sha256: sha256Hex(artifact),
    });
    return ownExecution({ kind: 'failed', error }, enforcement);
  }
}
