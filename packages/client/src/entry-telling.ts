import { type Json, type JsonObject, hideSecrets, isJsonObject, visibleText } from '@palyra/kernel';

const AUTHORITY = ['authority.authorityId', 'authority.state'];
const MEMBER = ['member.name', 'member.role'];
const DEVICE = ['device.name', 'device.kind', 'device.deviceId'];
const PAIRING = ['pairing.pairingId', 'pairing.proven.name', 'pairing.reason'];
const TOKEN = ['token.label', 'token.tokenId'];
const PASSKEY = ['passkey.name', 'passkey.passkeyId', 'confirms', 'about', 'reason'];
const APPROVAL = ['status', 'approvalId', 'reason'];
const GRANT = ['grant.shape.tool', 'grant.grantId'];
const SESSION = ['session.title', 'session.sessionId'];
const CONSOLE = ['session.sessionId', 'session.userId'];

/** The fields that tell most about each kind, in the order in which one reads them. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  'records.changed': ['changes.table'],
  'authority.created': AUTHORITY,
  'authority.retiring': AUTHORITY,
  'authority.retired': AUTHORITY,
  'member.added': MEMBER,
  'member.changed': MEMBER,
  'member.removed': MEMBER,
  'device.paired': DEVICE,
  'device.renamed': DEVICE,
  'device.renewed': DEVICE,
  'device.revoked': DEVICE,
  'device.removed': DEVICE,
  'pairing.started': PAIRING,
  'pairing.tried': PAIRING,
  'pairing.proven': PAIRING,
  'pairing.approved': PAIRING,
  'pairing.rejected': PAIRING,
  'pairing.expired': PAIRING,
  'pairing.completed': PAIRING,
  'token.created': TOKEN,
  'token.rotated': TOKEN,
  'token.revoked': TOKEN,
  'token.used': TOKEN,
  'passkey.challenged': PASSKEY,
  'passkey.added': PASSKEY,
  'passkey.renamed': PASSKEY,
  'passkey.removed': PASSKEY,
  'passkey.used': PASSKEY,
  'passkey.refused': PASSKEY,
  'console.linked': CONSOLE,
  'console.opened': CONSOLE,
  'console.closed': CONSOLE,
  'approval.asked': ['status', 'approvalId', 'gates.ruleId'],
  'approval.answered': [...APPROVAL, 'voice.principal'],
  'approval.closed': APPROVAL,
  'approval.used': APPROVAL,
  'grant.made': GRANT,
  'grant.used': [...GRANT, 'callId'],
  'grant.revoked': GRANT,
  'grant.ended': GRANT,
  'budget.changed': ['principal', 'day', 'spent.toolCalls', 'spent.tokens'],
  'daemon.started': ['version', 'profile'],
  'daemon.stopped': ['reason'],
  'journal.archived': ['segments'],
  'sandboxes.proven': ['tiers.tier', 'tiers.state', 'error.message'],
  'access.refused': ['action', 'resource', 'reason'],
  'policy.changed': ['mode', 'cause', 'policySetHash'],
  'policy.refused': ['cause', 'problems.reason'],
  'shadow.started': ['candidateHash'],
  'shadow.stopped': ['candidateHash'],
  'session.created': SESSION,
  'session.branched': [...SESSION, 'session.branchedFromRunId'],
  'session.renamed': SESSION,
  'session.archived': SESSION,
  'session.restored': SESSION,
  'run.queued': ['prompt'],
  'run.started': ['prompt'],
  'run.resumed': ['turns'],
  'run.interrupted': ['reason'],
  'run.compacted': ['summary'],
  'run.ended': ['status', 'stopReason'],
  'model.message': ['text', 'toolCalls.tool'],
  'model.spoken': ['text'],
  'tool.proposed': ['tool', 'arguments'],
  'tool.decided': ['kind', 'reason'],
  'tool.started': ['executor'],
  'sandbox.connected': ['decision', 'host', 'port', 'reason'],
  'file.changed': ['path'],
  'file.restored': ['path'],
  'tool.finished': ['outcome'],
  'tool.attested': ['callId', 'sandboxEnforcement', 'attestationId'],
};

/** Where the two words of a kind do not say it by themselves. */
const WORDS: Readonly<Record<string, string>> = {
  'model.message': 'model answered',
  'model.spoken': 'model speaks',
  'console.linked': 'console link made',
  'passkey.challenged': 'passkey asked for',
  'shadow.started': 'trial rules started',
  'shadow.stopped': 'trial rules stopped',
};

/** A kind of entry as people read it: `tool.decided` is `tool decided`. */
export function kindWords(kind: string): string {
  return visibleText(WORDS[kind] ?? kind.replace('.', ' '), 'one-line');
}

/**
 * What matters of an entry, in the order in which one reads it: each part on one line, without its
 * secrets, fit to be shown. Contract: empty for a kind of a newer Palyra.
 */
export function entryTelling(kind: string, payload: JsonObject): readonly string[] {
  const fields = Object.hasOwn(TELLING, kind) ? (TELLING[kind] ?? []) : [];
  const parts = fields
    .flatMap((path) => valuesAt(payload, path.split('.')))
    .map((value) => telling(hideSecrets(value)))
    .filter((part) => part !== '');
  // Names of tables, which people do not write like that.
  return kind === 'records.changed' ? parts.map((part) => part.replaceAll('_', ' ')) : parts;
}

/** What stands at the end of a path, each value once; a list on the way is gone through. */
function valuesAt(value: Json | undefined, path: readonly string[]): readonly Json[] {
  const [name, ...rest] = path;
  if (value === undefined) return [];
  if (name === undefined) return [value];
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => valuesAt(item, path)))];
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return [];
  return valuesAt(value[name], rest);
}

/** Wire names of enum values carry their type; a person needs only the end of it. */
function telling(value: Json): string {
  if (typeof value !== 'string') return visibleText(JSON.stringify(value), 'one-line');
  const word = WIRE_NAME.exec(value);
  const text = word?.[1]?.toLowerCase().replaceAll('_', ' ') ?? value;
  return visibleText(text.replaceAll(/\s+/g, ' ').trim(), 'one-line');
}

const WIRE_NAME =
  /^(?:APPROVAL_STATUS|AUTHORITY_STATE|DECISION_KIND|DEVICE_KIND|EXECUTOR|ROLE|RUN_STATUS|STOP_REASON|TOOL_OUTCOME)_([A-Z_]+)$/;
