import { ACCESS_COMMANDS } from './catalogue/access.ts';
import { APPROVAL_COMMANDS } from './catalogue/approvals.ts';
import { ATTEST_COMMANDS } from './catalogue/attest.ts';
import { CHAT_COMMANDS } from './catalogue/chat.ts';
import { CONFIG_COMMANDS } from './catalogue/config.ts';
import { DEVICE_COMMANDS } from './catalogue/devices.ts';
import { GATEWAY_COMMANDS } from './catalogue/gateway.ts';
import { JOURNAL_COMMANDS } from './catalogue/journal.ts';
import { MODEL_COMMANDS } from './catalogue/models.ts';
import { PASSKEY_COMMANDS } from './catalogue/passkeys.ts';
import { POLICY_COMMANDS } from './catalogue/policy.ts';
import { RUN_COMMANDS } from './catalogue/runs.ts';
import { SANDBOX_COMMANDS } from './catalogue/sandbox.ts';
import { SESSION_COMMANDS } from './catalogue/sessions.ts';
import { SHELL_COMMANDS } from './catalogue/shell.ts';
import type { CommandSpec, Example, GroupSpec, OptionSpec } from './command.ts';

/** `palyra` itself. */
export const PROGRAM: { readonly summary: string; readonly examples: readonly Example[] } = {
  summary: 'a secure gateway between a model and your machine',
  examples: [
    { line: 'palyra up', note: 'start the gateway' },
    { line: 'palyra run "list the files here"', note: 'watch one call go through every stage' },
    { line: 'palyra journal verify', note: 'prove that nothing was changed' },
  ],
};

/** Goes with every command that asks a gateway, and may stand before it too. */
export const GATEWAY_OPTION: OptionSpec = {
  kind: 'text',
  name: 'gateway',
  value: 'name',
  summary: 'ask this gateway; without it the one on this machine',
};

/** Every command. Parsing, help and completion are made from this list and nothing else. */
export const COMMANDS: readonly CommandSpec[] = [
  ...GATEWAY_COMMANDS,
  ...CHAT_COMMANDS,
  ...RUN_COMMANDS,
  ...SESSION_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...MODEL_COMMANDS,
  ...DEVICE_COMMANDS,
  ...PASSKEY_COMMANDS,
  ...ACCESS_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...POLICY_COMMANDS,
  ...JOURNAL_COMMANDS,
  ...ATTEST_COMMANDS,
  ...CONFIG_COMMANDS,
  ...SHELL_COMMANDS,
].map((spec) =>
  spec.asks === 'gateway' ? { ...spec, options: [...spec.options, GATEWAY_OPTION] } : spec,
);

export const GROUPS: readonly GroupSpec[] = [
  { path: ['runs'], summary: 'list, show, cancel, resume and undo runs' },
  { path: ['sessions'], summary: 'conversations: runs that remember those before' },
  { path: ['approvals'], summary: 'what waits for a yes: look, answer, revoke' },
  { path: ['models'], summary: 'which models answer: list, test and choose them' },
  { path: ['pairing'], summary: 'let a new device in' },
  { path: ['devices'], summary: 'list, show, rename and revoke devices' },
  { path: ['passkeys'], summary: 'what you confirm a yes with, where a rule wants it' },
  { path: ['tokens'], summary: 'API tokens for programs' },
  { path: ['access'], summary: 'who belongs to the workspace' },
  { path: ['access', 'members'], summary: 'the people of the workspace and their roles' },
  { path: ['identity'], summary: 'who you are, and the certificate authority' },
  { path: ['sandbox'], summary: 'run commands in a sandbox, and see what it holds' },
  { path: ['policy'], summary: 'the rules: read, test, compare and change them' },
  { path: ['policy', 'shadow'], summary: 'a candidate that decides beside the rules in force' },
  { path: ['journal'], summary: 'read, export and verify the journal' },
  { path: ['attest'], summary: 'show, export and verify the record of one call' },
  { path: ['config'], summary: 'read, change and check the configuration' },
];
