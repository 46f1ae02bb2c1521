import { Permission } from '@palyra/protocol';

/** What somebody or a token may do, for people; `palyra`, rules and refusals call it by its id. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  [Permission.UNSPECIFIED]: 'something unknown',
  [Permission.SESSIONS_USE]: 'work with agents',
  [Permission.APPROVALS_ANSWER]: 'answer approvals',
  [Permission.MEMORY_USE]: 'use memory',
  [Permission.ROUTINES_USE]: 'use routines',
  [Permission.OBSERVABILITY_READ]: 'read journal, rules and settings',
  [Permission.COMPAT_MODELS_READ]: 'list models (OpenAI API)',
  [Permission.COMPAT_CHAT_CREATE]: 'chat (OpenAI API)',
  [Permission.COMPAT_RESPONSES_CREATE]: 'ask for responses (OpenAI API)',
  [Permission.COMPAT_EMBEDDINGS_CREATE]: 'make embeddings (OpenAI API)',
  [Permission.TOKENS_MANAGE]: 'manage tokens',
  [Permission.MEMBERS_MANAGE]: 'manage members',
  [Permission.POLICY_MANAGE]: 'change rules',
  [Permission.VAULT_MANAGE]: 'manage secrets',
  [Permission.DEVICES_MANAGE]: 'manage devices',
  [Permission.WORKSPACE_MANAGE]: 'manage the workspace',
  [Permission.TRUST_OPERATE]: 'operate the authority',
};
