import { toJson } from '@bufbuild/protobuf';
import { verifyEnvelope } from '@palyra/attestation';
import { ToolAttestationSchema } from '@palyra/protocol';
import { usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import type { Answer } from './commands.ts';

/** Checks one envelope, given whole, with the key that it names. */
export async function verifyAttestationEnvelope([
  envelope,
  ...more
]: readonly string[]): Promise<Answer> {
  if (envelope === undefined || more.length > 0) throw usage('expected one envelope');
  const report = await verifyEnvelope(new TextEncoder().encode(envelope));
  const kind = 'attest.verify';
  switch (report.verdict) {
    case 'verified': {
      const attestation = toJson(ToolAttestationSchema, report.attestation);
      return { exit: EXIT.ok, kind, fields: { ...report, attestation } };
    }
    case 'broken':
      return { exit: EXIT.journalBroken, kind, fields: report };
  }
}
