export { type AddressRange, mappedIpv4, rangeOfAddress } from './address-range.ts';
export {
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
  canonicalBytes,
  canonicalJson,
  isJsonObject,
} from './canonical-json.ts';
export { cageWords } from './cage-words.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  CONSOLE_NONCE_BYTES,
  CONSOLE_PROOF_HEADER,
  CONSOLE_PROOF_WINDOW_MS,
  type ConsoleCall,
  type ConsoleProof,
  consoleProofText,
  readConsoleProof,
  writeConsoleProof,
} from './console-proof.ts';
export { duplicateKey } from './duplicate-keys.ts';
export {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  PalyraError,
  type PalyraErrorOptions,
  type WireStatus,
  isErrorCode,
} from './errors.ts';
export {
  type ArchiveCount,
  type VerifyExportOptions,
  type VerifyReport,
  verifyExport,
} from './export-verifier.ts';
export { readHeader } from './export-frame.ts';
export { type ExportStart, ExportWriter } from './export-writer.ts';
export {
  type AttestationId,
  type CallId,
  type EntryId,
  type FillRandom,
  type Id,
  type Ids,
  type RunId,
  type SessionId,
  createIds,
  fillFromPool,
  parseId,
} from './ids.ts';
export {
  type ChainFault,
  type ChainPoint,
  ChainWalker,
  type EntryLink,
  type EntryView,
  GENESIS,
  HEAD_FORMAT,
  type Sha256Hex,
  type SignedHead,
  faultAt,
  fromBase64,
  headBytes,
  headJson,
  isFault,
  parseHead,
  readLink,
  signHead,
  verifyHead,
  viewEntry,
} from './journal-chain.ts';
export {
  ENTRY_FORMAT,
  type EntryDraft,
  type EntryPlace,
  GENESIS_HASH,
  PLACE_BYTES,
  type PreparedEntry,
  type SealedEntry,
  decodeEntry,
  placeEntry,
  prepareEntry,
} from './journal-entry.ts';
export { isJournalKind, JOURNAL_KINDS, type JournalKind } from './journal-kinds.ts';
export { loopShare } from './loop-share.ts';
export type { Log, LogFields } from './log.ts';
export {
  isForPeopleOnly,
  parsePermission,
  PERMISSIONS,
  type PermissionFacts,
  permissionsOf,
  permissionWord,
} from './permissions.ts';
export { folderGone } from './folder-gone.ts';
export { type Environment, type Places, placesFor } from './places.ts';
export { hideSecrets } from './hide-secrets.ts';
export { MAX_LOGGED_TEXT, REDACTED, redact, redactText } from './redaction.ts';
export { type Bytes, type Sha256, fromHex, sha256, sha256Hex, toHex } from './sha256.ts';
export {
  PUBLIC_KEY_BYTES,
  SIGNATURE_BYTES,
  type Signer,
  keyIdOf,
  verifySignature,
} from './signature.ts';
export { hideSecretWords, hideSecretsIn } from './secret-words.ts';
export { type SlotBounds, Slots } from './slots.ts';
export { textHunks } from './text-hunks.ts';
export { Turns } from './turns.ts';
export { spellEscapes } from './url-escapes.ts';
export { quote, visibleText } from './visible-text.ts';
export { ANYBODY, type Spoken, couldBeOne, groupsOfOne } from './voices.ts';
export {
  type OtherWorkspace,
  WORKSPACE_IN_CAGE,
  isSameWorkspace,
  otherWorkspace,
} from './workspace.ts';
