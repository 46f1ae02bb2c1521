import * as z from 'zod';

/** Enough for what a call can hold, too little to fill a memory. */
const MAX_ITEMS = 1_024;
const MAX_TEXT = 4_096;

const text = z.string().max(MAX_TEXT);
const texts = z.array(text).max(MAX_ITEMS);
const count = z.int().min(0);

const capability = z.enum([
  'process_exec',
  'network',
  'secrets_read',
  'filesystem_write',
  'filesystem_read',
  'browser',
  'memory',
]);
const capabilities = z.array(capability).max(MAX_ITEMS);
const range = z.enum([
  'name',
  'public',
  'private',
  'loopback',
  'link_local',
  'metadata',
  'translated',
  'special',
]);
const taint = z.enum(['web', 'tool', 'mcp', 'file', 'memory', 'secret']);
const role = z.enum(['operator', 'admin', 'owner']);
const user = text.regex(/^user:.+$/u, 'must read `user:NAME`');
const ownerOfWork = text.regex(
  /^(user:.+|token:.+|everybody)$/u,
  'must read `user:NAME`, `token:NAME` or `everybody`',
);
const folder = text.regex(/^\//u, 'must start with `/`');

/** The fields of `palyra.v1.CallFacts`, for a call whose arguments do not matter. */
const facts = z.strictObject({
  process: z
    .strictObject({
      executable: text,
      arguments: texts.default([]),
      directory: text.default('.'),
      environment: texts.default([]),
    })
    .optional(),
  http: z
    .strictObject({
      method: text.default('GET'),
      scheme: text.default('https'),
      host: text,
      port: count.default(443),
      path: text.default('/'),
    })
    .optional(),
  reads: texts.default([]),
  writes: texts.default([]),
  hosts: z
    .array(z.strictObject({ name: text, port: count.default(443), range: range.default('name') }))
    .max(MAX_ITEMS)
    .default([]),
  secrets: texts.default([]),
  argumentBytes: count.default(0),
  bodyBytes: count.default(0),
  argumentsSha256: text.default(''),
  readsBelow: z.boolean().default(false),
});

/** What is asked for, when it is no tool. Without an `owner` it belongs to everybody. */
const resource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('Skill'),
    id: text,
    active: z.boolean().default(true),
    publisher: text.default('palyra'),
    capabilities: capabilities.default([]),
  }),
  z.strictObject({ type: z.literal('Secret'), id: text, owner: user.optional() }),
  z.strictObject({ type: z.literal('Workspace'), path: folder }),
  z.strictObject({
    type: z.literal('Host'),
    id: text,
    range: range.default('public'),
    port: count.default(443),
    listed: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('Memory'), id: text.default('memory'), owner: user }),
  z.strictObject({ type: z.literal('Routine'), id: text.default('routine'), owner: user }),
  z.strictObject({ type: z.literal('Work'), owner: ownerOfWork }),
  // Without a `user` it is one who is only to be added.
  z.strictObject({
    type: z.literal('Member'),
    user: user.optional(),
    role: role.default('operator'),
  }),
]);

const approver = z.strictObject({
  principal: user.optional(),
  role: role.default('operator'),
  strength: z.enum(['device', 'passkey']).default('device'),
});

/**
 * One question to the rules and the answer that is expected. What a case leaves out is ordinary: an
 * operator called Ada at her terminal, our own agent, no cage proven, nothing untrusted seen, a
 * workspace of its own and the gateway's files where they usually lie.
 */
export const policyCaseSchema = z
  .strictObject({
    name: text.min(1),
    principal: text
      .regex(/^(user|token|device|agent|worker):.+$/u, 'must read like `user:ada` or `token:ci`')
      .default('user:ada'),
    role: z.enum(['none', ...role.options]).default('operator'),
    /** For whom a token or an agent acts. */
    member: user.default('user:ada'),
    scopes: texts.default([]),
    action: text.default('tool.execute'),
    tool: text.optional(),
    arguments: z.record(text, z.json()).optional(),
    facts: facts.optional(),
    /** Of a tool that is in no catalogue, or instead of what the catalogue says. */
    capabilities: capabilities.optional(),
    risk: z.enum(['low', 'medium', 'high', 'critical']).optional(),
    source: text.optional(),
    resource: resource.optional(),
    channel: z.enum(['cli', 'console', 'desktop', 'api', 'schedule', 'worker']).default('cli'),
    device: text.default('device:terminal'),
    agent: text.default('palyra'),
    skill: text.default(''),
    tier: z.enum(['none', 'A', 'B', 'C']).default('none'),
    taint: z.array(taint).max(MAX_ITEMS).default([]),
    budget: z.enum(['unlimited', 'within', 'exhausted']).default('within'),
    workspace: folder.default('/home/ada/work'),
    /** The folders in which the gateway keeps what is its own. */
    gateway: z
      .array(folder)
      .max(MAX_ITEMS)
      .default(() => ['/home/ada/.config/palyra', '/home/ada/.local/state/palyra', '/etc/palyra']),
    time: z.iso.datetime().default('2026-11-16T09:30:00Z'),
    approval: z.array(approver).min(1).max(MAX_ITEMS).optional(),
    /**
     * `unsound`: the call is refused before any rule is asked, for what its arguments say.
     * `unfit`: the schema of the rules has no place for it, as when an action is misspelt.
     */
    expect: z.enum(['allow', 'deny', 'ask', 'unsound', 'unfit']),
    /** One that must be among those that decided. */
    rule: text.min(1).optional(),
  })
  .refine((it) => it.arguments === undefined || it.facts === undefined, {
    message: 'takes `arguments` or `facts`, not both',
    path: ['facts'],
  })
  .refine((it) => it.tool === undefined || it.resource === undefined, {
    message: 'takes a `tool` or a `resource`, not both',
    path: ['resource'],
  })
  .refine((it) => it.tool !== undefined || !TOOL_ACTIONS.includes(it.action), {
    message: 'needs a `tool`',
    path: ['tool'],
  });

export const TOOL_ACTIONS: readonly string[] = ['tool.execute', 'tool.unattended'];

export type PolicyCase = Readonly<z.infer<typeof policyCaseSchema>>;
export type CaseResource = NonNullable<PolicyCase['resource']>;
export type Expectation = PolicyCase['expect'];
