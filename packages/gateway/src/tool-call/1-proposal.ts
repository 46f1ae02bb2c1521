import { create, toJson } from '@bufbuild/protobuf';
import {
  type JsonObject,
  PalyraError,
  canonicalBytes,
  duplicateKey,
  isJsonObject,
  quote,
  sha256Hex,
} from '@palyra/kernel';
import {
  type CallFacts,
  CallFactsSchema,
  Risk,
  type ToolProposal,
  ToolProposalSchema,
} from '@palyra/protocol';
import type { CataloguePort, ModelToolCall, ToolManifest } from '../ports.ts';
import type { AskedRun, PrincipalRun } from '../run/run-note.ts';

/** What the model asks for, in our words. An unsound one is kept too: its refusal is evidence. */
export type Proposed =
  | { readonly kind: 'sound'; readonly proposal: ToolProposal }
  | { readonly kind: 'unsound'; readonly proposal: ToolProposal; readonly fault: PalyraError };

export const MAX_ARGUMENT_BYTES = 524_288;
export const MAX_ARGUMENT_DEPTH = 64;
export const MAX_TOOL_NAME = 128;

export function propose(
  call: ModelToolCall,
  run: PrincipalRun & Pick<AskedRun, 'workspace'>,
  catalogue: Pick<CataloguePort, 'find'>,
): Proposed {
  const manifest = catalogue.find(call.tool);
  const meant = meaningOf(call.argumentsJson, manifest, run.workspace);
  const proposal = create(ToolProposalSchema, {
    callId: call.callId,
    runId: run.runId,
    sessionId: run.sessionId,
    principal: run.principal,
    workspace: run.workspace,
    tool: call.tool.slice(0, MAX_TOOL_NAME).toWellFormed(),
    arguments: meant.arguments,
    facts: meant.facts,
    // A tool that nobody declared has no capabilities, and so deny by default refuses it.
    capabilities: [...(manifest?.capabilities ?? [])],
    risk: manifest?.risk ?? Risk.CRITICAL,
  });
  proposal.fingerprint = sha256Hex(canonicalBytes(toJson(ToolProposalSchema, proposal)));
  const fault = TOOL_NAME.test(call.tool) ? meant.fault : badName();
  return fault === undefined ? { kind: 'sound', proposal } : { kind: 'unsound', proposal, fault };
}

const TOOL_NAME = new RegExp(`^[\\w.-]{1,${MAX_TOOL_NAME}}$`);

function badName(): PalyraError {
  const message = `a tool name has 1 to ${MAX_TOOL_NAME} letters, digits, dots, dashes`;
  return new PalyraError('TOOL_ARGUMENTS_INVALID', message);
}

interface Meant {
  /** In the one spelling that the tool gives them; as parsed when it has none. */
  readonly arguments: JsonObject;
  readonly facts: CallFacts;
  readonly fault?: PalyraError;
}

function meaningOf(
  argumentsJson: string,
  manifest: ToolManifest | undefined,
  workspace: string,
): Meant {
  const parsed = parseArguments(argumentsJson);
  if (parsed.kind === 'malformed') return { ...bare({}), fault: parsed.fault };
  if (manifest === undefined) return bare(parsed.arguments);
  const understood = manifest.understand(parsed.arguments, workspace);
  if (understood.kind === 'understood') return understood;
  const { reason, help } = understood;
  const isOutside = understood.kind === 'outside';
  const code = isOutside ? 'SANDBOX_SCOPE_DENIED' : 'TOOL_ARGUMENTS_INVALID';
  const fault = new PalyraError(code, reason, { help });
  return { ...bare(parsed.arguments), fault };
}

/** Nobody knows what they mean: which bytes they are is the only fact. */
function bare(args: JsonObject): Meant {
  const bytes = canonicalBytes(args);
  const facts = create(CallFactsSchema, {
    argumentBytes: bytes.length,
    argumentsSha256: sha256Hex(bytes),
  });
  return { arguments: args, facts };
}

type Parsed =
  | { readonly kind: 'parsed'; readonly arguments: JsonObject }
  | { readonly kind: 'malformed'; readonly fault: PalyraError };

/**
 * Parsed once, here; the tool then gives it its one spelling, and that value is judged, shown,
 * approved and executed. What two readers could understand differently is refused.
 */
function parseArguments(argumentsJson: string): Parsed {
  if (Buffer.byteLength(argumentsJson) > MAX_ARGUMENT_BYTES) {
    return malformed(`the arguments are longer than ${MAX_ARGUMENT_BYTES} bytes`);
  }
  try {
    const value: unknown = JSON.parse(argumentsJson);
    if (!isJsonObject(value)) return malformed('the arguments are not a json object');
    refuseAmbiguous(value, 0);
    const twice = duplicateKey(argumentsJson);
    if (twice !== undefined) return malformed(`the arguments name ${quote(twice)} twice`);
    canonicalBytes(value);
    return { kind: 'parsed', arguments: value };
  } catch (reason) {
    return malformed(explain(reason), reason);
  }
}

function refuseAmbiguous(value: unknown, depth: number): void {
  if (depth > MAX_ARGUMENT_DEPTH) {
    throw new TypeError(`nested deeper than ${MAX_ARGUMENT_DEPTH} levels`);
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError('an integer is too large to be exact');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError('a key is called `__proto__`');
    refuseAmbiguous(field, depth + 1);
  }
}

function explain(reason: unknown): string {
  if (reason instanceof SyntaxError) return 'the arguments are not json';
  if (reason instanceof TypeError) return `the arguments are not exact: ${reason.message}`;
  return 'the arguments cannot be read';
}

function malformed(message: string, cause?: unknown): Parsed {
  return {
    kind: 'malformed',
    fault: new PalyraError('TOOL_ARGUMENTS_INVALID', message, { cause }),
  };
}
