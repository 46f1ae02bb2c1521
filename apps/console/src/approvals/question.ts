import { create, toJsonString } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type ApprovalRecord,
  ApprovalRecordSchema,
  type GetApprovalResponse,
  type OfferedShape,
} from '@palyra/protocol';

/** What a person is shown before they answer. */
export interface Question {
  readonly approval: ApprovalRecord;
  readonly offers: readonly OfferedShape[];
}

export function questionOf({ approval, offers }: GetApprovalResponse): Question {
  if (approval === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without an approval');
  }
  return { approval, offers };
}

/**
 * Everything that a person reads before they say yes, in one text: where it differs, they have to
 * read again. What was answered, and what came of it, is no part of it.
 */
export function askedText(approval: ApprovalRecord): string {
  const { fingerprint, proposal, gates, preview, workspace } = approval;
  return toJsonString(
    ApprovalRecordSchema,
    create(ApprovalRecordSchema, {
      fingerprint,
      gates,
      ...(proposal === undefined ? {} : { proposal }),
      ...(preview === undefined ? {} : { preview }),
      ...(workspace === undefined ? {} : { workspace }),
    }),
  );
}
