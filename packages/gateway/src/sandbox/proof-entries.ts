import { create, toJson } from '@bufbuild/protobuf';
import { type EntryDraft, type PalyraError, isJsonObject } from '@palyra/kernel';
import { type ProofNote, ProofNoteSchema, type Sandbox } from '@palyra/protocol';
import { detailOf } from '../tool-call/5-attestation.ts';

/** How the tiers stand after a proof that somebody asked for. */
export function provenEntry(actor: string, sandbox: Sandbox): EntryDraft {
  const tiers = sandbox.tiers.map(({ tier, state, step, reason }) => ({
    tier,
    state,
    step,
    reason,
  }));
  return entry(actor, create(ProofNoteSchema, { tiers }));
}

/** That nobody could try, and why. */
export function untriedEntry(actor: string, error: PalyraError): EntryDraft {
  return entry(actor, create(ProofNoteSchema, { error: detailOf(error) }));
}

function entry(actor: string, note: ProofNote): EntryDraft {
  const payload = toJson(ProofNoteSchema, note);
  return { kind: 'sandboxes.proven', actor, payload: isJsonObject(payload) ? payload : {} };
}
