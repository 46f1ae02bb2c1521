import type { Blobs } from '@palyra/blobs';
import type { Execution, SandboxPort } from '@palyra/gateway';
import { type Log, PalyraError } from '@palyra/kernel';
import { PAGE_BYTES, pageLength } from '@palyra/tools';

/** A page, and the line that a tool puts before one. */
const SHOWN_BYTES = PAGE_BYTES + 1024;

export interface KeptOutputParts {
  readonly blobs: Pick<Blobs, 'put'>;
  readonly log: Log;
}

/**
 * What is too large for one answer is kept whole, by its hash, and the model is shown the first page.
 * The hash is that of the evidence: what is read on later is what was attested.
 */
export function keepingLargeOutput(port: SandboxPort, parts: KeptOutputParts): SandboxPort {
  return {
    place: (proposal) => port.place(proposal),
    preview: (proposal) => port.preview(proposal),
    expect: (call) => port.expect(call),
    expectRun: (run) => port.expectRun(run),
    execute: async (request, signal) => await shorten(await port.execute(request, signal), parts),
  };
}

async function shorten(execution: Execution, { blobs, log }: KeptOutputParts): Promise<Execution> {
  const { output } = execution;
  if (output.length <= SHOWN_BYTES) return execution;
  const page = output.subarray(0, pageLength(output.subarray(0, PAGE_BYTES)));
  const start = new TextDecoder().decode(page);
  try {
    const sha256 = await blobs.put(output);
    const artifact = { sha256, bytes: output.length };
    return { ...execution, shownOutput: `${start}${readOn(artifact, page.length)}`, artifact };
  } catch (reason) {
    // The call has happened, and its evidence is the hash of all of it: the rest is lost, not the call.
    const { code, message } = PalyraError.from(reason);
    log.warn('a large result was not kept', { code, reason: message });
    const lost = `\n[cut here: ${output.length} bytes, and the rest could not be kept]\n`;
    return { ...execution, shownOutput: `${start}${lost}` };
  }
}

function readOn(
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  at: number,
) {
  const further = JSON.stringify({ sha256, offset: at });
  return `\n[cut here: artifact sha256:${sha256} has ${bytes} bytes; read on with artifact.read ${further}]\n`;
}
