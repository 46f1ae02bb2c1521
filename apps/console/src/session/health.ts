import { isJsonObject } from '@palyra/kernel';
import { type GetHealthResponse, type MissingPart, Readiness } from '@palyra/protocol';
import type { SessionKey } from './key.ts';
import { fetchWith, ownRequest } from './proof.ts';
import { listOf, textOf } from './told.ts';

/** How the gateway is, as far as pages show it. */
export interface Health extends Pick<
  GetHealthResponse,
  | 'readiness'
  | 'version'
  | 'profile'
  | 'model'
  | 'workspace'
  | 'startedAt'
  | 'journalSequence'
  | 'residentBytes'
> {
  readonly furtherWorkspaces: readonly string[];
  readonly missing: readonly Pick<MissingPart, 'name' | 'reason' | 'help'>[];
}

/**
 * Asks beside the session, so that Home has it on its first frames. Contract: never rejects; `undefined`
 * where there is no answer, or none that is understood: it is asked for again when the protocol is there.
 */
export async function askHealth(key: SessionKey): Promise<Health | undefined> {
  const request = ownRequest('/palyra.v1.HealthService/GetHealth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  try {
    const answer = await fetchWith(key, request);
    return answer.ok ? readHealth(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

/** As the protocol writes it in JSON: what is not there is empty or none, and long numbers are texts. */
export function readHealth(value: unknown): Health | undefined {
  if (!isJsonObject(value)) return undefined;
  const readiness = READINESS.get(textOf(value['readiness']));
  if (readiness === undefined) return undefined;
  return {
    readiness,
    version: textOf(value['version']),
    profile: textOf(value['profile']),
    model: textOf(value['model']),
    workspace: textOf(value['workspace']),
    furtherWorkspaces: listOf(value['furtherWorkspaces']).map(textOf),
    startedAt: textOf(value['startedAt']),
    journalSequence: countOf(value['journalSequence']),
    residentBytes: countOf(value['residentBytes']),
    missing: listOf(value['missing'])
      .filter(isJsonObject)
      .map(({ name, reason, help }) => ({
        name: textOf(name),
        reason: textOf(reason),
        help: textOf(help),
      })),
  };
}

const READINESS: ReadonlyMap<string, Readiness> = new Map(
  Object.entries(Readiness).map(([name, number]) => [`READINESS_${name}`, number]),
);

function countOf(value: unknown): bigint {
  const text = textOf(value);
  return /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
}
