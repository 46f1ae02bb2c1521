import { byteWords } from '@palyra/client';
import { ToolOutcome } from '@palyra/protocol';
import { type Tone, classes } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';
import { visibleText } from '@palyra/kernel';
import { OpenArtifact } from '../artifact/open-artifact.tsx';
import { Trouble } from '../ending-note.tsx';
import type { CallStory } from '../story/call.ts';
import { textOf } from '../story/output.ts';
import { durationWords, executorWords, standingOf } from '../story/words.ts';
import { ChangedFiles } from './changed-files.tsx';
import { Connections } from './connections.tsx';
import { OutputText } from './output-text.tsx';
import { Stage } from './stage.tsx';
import { WholeOutput } from './whole.tsx';

export function ExecutionStage({ call }: { readonly call: CallStory }) {
  const { result, executor, changes, connections, notesLeftOut } = call;
  const isRefused = result?.outcome === ToolOutcome.REFUSED;
  if (executor === undefined && (result === undefined || isRefused)) {
    const says = result === undefined ? 'not reached yet' : 'not reached, nothing was executed';
    return (
      <Stage name="Execution" tone="plain" says={says}>
        {isRefused && result.error !== undefined && call.decision === undefined ? (
          <Trouble error={result.error} />
        ) : null}
      </Stage>
    );
  }
  return (
    <Stage name="Execution" tone={toneOf(call)} says={executionWords(call)}>
      {result?.error === undefined ? null : <Trouble error={result.error} />}
      <Output call={call} />
      {changes.length === 0 ? null : <ChangedFiles call={call} />}
      {connections.length === 0 ? null : <Connections connections={connections} />}
      {notesLeftOut === 0 ? null : (
        <p className="text-sm text-soft">{notesLeftOut} more of these are in the journal.</p>
      )}
    </Stage>
  );
}

function toneOf(call: CallStory): Tone {
  return standingOf(call).tone;
}

function executionWords({ executor, result, attestation, isInterrupted }: CallStory): string {
  const where = executor === undefined ? '' : `in ${executorWords(executor)}`;
  if (result === undefined) return `${isInterrupted ? 'interrupted' : 'running'} ${where}`;
  const exit = attestation === undefined ? '' : exitWords(attestation);
  const took = durationWords(result.durationMs);
  return [where, took, exit].filter((word) => word !== '').join(', ');
}

function exitWords({ exitCode, exitSignal }: NonNullable<CallStory['attestation']>): string {
  if (exitSignal !== '') return `ended by ${inline(exitSignal)}`;
  return exitCode === undefined ? '' : `exit code ${exitCode}`;
}

function Output({ call }: { readonly call: CallStory }) {
  const { result } = call;
  if (result === undefined) return <LiveText call={call} />;
  return (
    <>
      {result.output === '' ? (
        <p className="text-sm text-soft">It wrote nothing.</p>
      ) : (
        <OutputText label="Output" text={result.output} />
      )}
      {call.outputLeftOut === 0 ? null : <WholeOutput call={call} />}
      {result.artifactSha256 === '' ? null : (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-soft">
          It was too large to be shown here, or no text. It is kept whole.
          <OpenArtifact
            artifact={{
              runId: call.runId,
              sha256: result.artifactSha256,
              bytes: Number(result.artifactBytes),
            }}
          />
        </p>
      )}
    </>
  );
}

function LiveText({ call: { live } }: { readonly call: CallStory }) {
  if (live.pieces.length === 0) return null;
  return (
    <>
      {live.leftOutBytes === 0 ? null : (
        <p className="text-sm text-soft">
          {byteWords(live.leftOutBytes)} before this come with the result.
        </p>
      )}
      <OutputText label="Output so far">
        {live.pieces.map((piece, place) => (
          // Pieces have no name but their place.
          <span key={place} className={classes(piece.isErrorOutput && 'text-bad')}>
            {visibleText(textOf(piece))}
          </span>
        ))}
      </OutputText>
    </>
  );
}
