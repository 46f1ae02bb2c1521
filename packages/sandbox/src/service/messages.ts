import {
  type Bytes,
  type ErrorCode,
  type JsonObject,
  isErrorCode,
  isJsonObject,
} from '@palyra/kernel';
import { z } from 'zod';
import { FAULT_KINDS } from '../model.ts';
import { STEP_VERDICT, VERDICT } from '../proof/verdict.ts';
import { MAX_INPUT_BYTES, MAX_PIECE_BYTES } from './bounds.ts';

/** What the daemon and the process that makes sandboxes say to one another, and nothing else. */

/** As long as a secret may be that the proxy puts in. */
const MAX_SECRET = 16_384;

const KIB = 1024;
const ID = z.int().min(1);
const COUNT = z.int().min(0);
const TEXT = z.string().max(4 * KIB);
const WORD = z.string().max(128 * KIB);
const PATH = z.string().max(4 * KIB);
const HASH = z.string().max(128);
const CODE = z.custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value));

function bytesOf(most: number) {
  return z.custom<Bytes>((value) => value instanceof Uint8Array && value.length <= most);
}

function namesOf(most: number) {
  return z.record(z.string().max(KIB), WORD).refine((all) => Object.keys(all).length <= most);
}

const SECRET_USE = z.strictObject({
  variable: z.string().max(KIB),
  name: z.string().max(KIB),
  use: TEXT,
});
const HOSTS = z.array(TEXT).max(1024);
const EGRESS = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('none') }),
  z.strictObject({ mode: z.literal('preflight'), hosts: HOSTS }),
  z.strictObject({
    mode: z.literal('strict'),
    hosts: HOSTS,
    secrets: z.array(SECRET_USE).max(64),
  }),
]);

const LIMITS = z.strictObject({
  cpuTimeMs: z.number(),
  wallTimeMs: z.number(),
  memoryBytes: z.number(),
  outputBytes: z.number(),
  processes: z.number(),
  fileBytes: z.number(),
  openFiles: z.number(),
  scratchBytes: z.number(),
});

/** Its meaning is checked by whoever runs it; here, that it is one. */
export const REQUEST = z.strictObject({
  tier: z.enum(['B', 'C']),
  executable: WORD,
  arguments: z.array(WORD).max(32_768),
  workspace: PATH,
  directory: PATH,
  environment: namesOf(4096),
  stdin: bytesOf(64 * KIB * KIB),
  limits: LIMITS,
  egress: EGRESS,
  principal: z.string().max(KIB),
  session: z.string().max(KIB),
  policySetHash: HASH,
});

export const CAGE = REQUEST.pick({
  tier: true,
  workspace: true,
  limits: true,
  egress: true,
  principal: true,
  session: true,
  policySetHash: true,
});

/** Where the process that makes sandboxes keeps its things; told to it first, and once. */
export const OPENING = z.strictObject({
  /** Exists, and is passable for the users that commands run as. */
  folder: PATH,
  /** Of Palyra: what another one has proven is not believed. */
  version: z.string().max(64),
  /** Sandboxes that wait, ready made, for each session, and for all together; 0 for none. */
  warm: z.int().min(0).max(3),
  warmTotal: z.int().min(0).max(256),
  /** That tier B may start besides its own short list. */
  programs: z.array(PATH).max(256),
});
export type Opening = z.infer<typeof OPENING>;

export const ORDER = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open'), opening: OPENING }),
  /** End everything in order and go; without it, when the channel closes, at once. */
  z.strictObject({ kind: z.literal('close') }),
  z.strictObject({
    kind: z.literal('run'),
    id: ID,
    request: REQUEST,
    hasMoreInput: z.boolean().default(false),
  }),
  /** To `input-wanted`; without bytes there are no more. */
  z.strictObject({
    kind: z.literal('input'),
    id: ID,
    bytes: bytesOf(MAX_INPUT_BYTES).optional(),
  }),
  z.strictObject({ kind: z.literal('cancel'), id: ID }),
  /** It may come soon; nobody waits for an answer. */
  z.strictObject({ kind: z.literal('expect'), request: CAGE }),
  z.strictObject({ kind: z.literal('explain'), id: ID, request: REQUEST }),
  z.strictObject({ kind: z.literal('prove'), id: ID }),
  z.strictObject({ kind: z.literal('verdict'), id: ID }),
  z.strictObject({ kind: z.literal('load'), id: ID }),
  /** To `connection-wanted`. */
  z.strictObject({ kind: z.literal('connection-answer'), id: ID, isAllowed: z.boolean() }),
  /** To `secret-wanted`; without a value it is refused. */
  z.strictObject({
    kind: z.literal('secret'),
    id: ID,
    value: z.string().max(MAX_SECRET).optional(),
  }),
]);
export type Order = z.infer<typeof ORDER>;

const FAULT = z.strictObject({ code: CODE, reason: TEXT, help: TEXT });
export type ToldFault = z.infer<typeof FAULT>;

const ENDING = z.strictObject({
  kind: z.enum(['exited', 'killed', 'refused']),
  code: z.int().min(0).max(255).optional(),
  signal: z.string().max(32).optional(),
  fault: z
    .strictObject({
      kind: z.enum(FAULT_KINDS),
      code: CODE,
      reason: TEXT,
      help: TEXT,
      isMissing: z.literal(true).optional(),
    })
    .optional(),
  truncated: z.strictObject({ stdout: z.boolean(), stderr: z.boolean() }),
  outputSha256: z.string().length(64),
  durationMs: z.number().min(0),
  posture: z.strictObject({
    executor: z.string().max(64),
    namespaces: z.array(z.string().max(32)).max(16),
    seccomp: HASH,
    memory: z.enum(['cgroup', 'best-effort']),
    egress: TEXT,
    hosts: HOSTS,
    isWarm: z.boolean(),
    weaknesses: z.array(TEXT).max(256),
    passedOver: z.array(TEXT).max(16).optional(),
  }),
});
/** Without the output, which has come before in pieces. */
export type ToldEnding = z.infer<typeof ENDING>;

const EXPLANATION = z.strictObject({
  executor: z.string().max(64),
  planHash: HASH,
  options: z.array(WORD).max(65_536),
  guarded: z.array(z.strictObject({ path: PATH, how: z.string().max(64) })).max(65_536),
  filterHash: HASH,
  limits: LIMITS,
  hosts: HOSTS,
  weaknesses: z.array(TEXT).max(256),
});

const RECORD = z.custom<JsonObject>((value) => isJsonObject(value));

export const EVENT = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  /** It cannot serve at all, and ends. */
  z.strictObject({ kind: z.literal('unable'), fault: FAULT }),
  z.strictObject({
    kind: z.literal('output'),
    id: ID,
    stream: z.enum(['stdout', 'stderr']),
    bytes: bytesOf(MAX_PIECE_BYTES),
  }),
  z.strictObject({ kind: z.literal('connection'), id: ID, record: RECORD }),
  z.strictObject({ kind: z.literal('ended'), id: ID, ending: ENDING }),
  z.strictObject({ kind: z.literal('explained'), id: ID, explanation: EXPLANATION }),
  z.strictObject({ kind: z.literal('proven'), id: ID, verdict: VERDICT }),
  /** On the way to `proven`: one step is done. */
  z.strictObject({ kind: z.literal('tried'), id: ID, step: STEP_VERDICT }),
  z.strictObject({ kind: z.literal('loaded'), id: ID, warm: COUNT, busy: COUNT }),
  /** Of `explain`, `prove`, `verdict` and `load`: it could not be done. */
  z.strictObject({ kind: z.literal('failed'), id: ID, fault: FAULT }),
  /** Of a run that has more input, one at a time. */
  z.strictObject({ kind: z.literal('input-wanted'), id: ID }),
  /** Of a run, about a connection that its command asks for. */
  z.strictObject({
    kind: z.literal('connection-wanted'),
    id: ID,
    run: ID,
    to: z.strictObject({
      host: z.string().max(KIB),
      port: z.int().min(0).max(65_535),
      addresses: z.array(z.string().max(64)).min(1).max(64),
    }),
  }),
  z.strictObject({ kind: z.literal('secret-wanted'), id: ID, name: z.string().max(KIB) }),
]);
export type Event = z.infer<typeof EVENT>;
