import { createIds, systemClock } from '@palyra/kernel';
import { canConverse } from '../ask.ts';
import { type Invocation, wantsJson } from '../command.ts';
import { daemonOf } from '../daemon.ts';
import { answering } from '../demo/answers.ts';
import { CHAPTERS, COMMAND, INJECTION, PROOF } from '../demo/chapters.ts';
import { type StepOutcome, exitOfStory } from '../demo/check.ts';
import { checkProof, lookAround, verifyJournal, withEvidence } from '../demo/evidence.ts';
import { Narrator } from '../demo/narrator.ts';
import { type Played, play, pressEnter } from '../demo/play.ts';
import { sandboxHelp } from '../demo/sandbox-help.ts';
import { type Stage, openStage } from '../demo/stage.ts';
import { EXITS, type Exit } from '../exit-codes.ts';
import { onInterrupt } from '../interrupts.ts';
import { ownName } from '../own-name.ts';
import { attendanceOf } from '../steer-run.ts';
import { UsageError } from '../usage-error.ts';

/** Between two words, so that they can be read while they come. */
const READING_PACE_MS = 30;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const isAuto = invocation.flags.has('auto');
  if (!isAuto && !canConverse(invocation)) throw nobodyAnswers();
  const narrator = wantsJson(invocation)
    ? undefined
    : new Narrator(terminal, isAuto ? 'demo' : 'person');
  const leaving = new AbortController();
  using _leave = onInterrupt((times) => {
    if (times > 1) process.exit(EXITS.cancelled.code);
    leaving.abort();
  });
  const canary = `canary-${createIds(systemClock()).next()}`;
  const paceMs = isAuto ? 0 : READING_PACE_MS;
  narrator?.greet();
  terminal.progress('starting a gateway…');
  const opening = openStage({ shell: invocation.shell, canary, paceMs, signal: leaving.signal });
  await using stage = await opening.finally(() => terminal.progress(''));
  const telling = { stage, canary, narrator, leaving: leaving.signal };
  const outcomes = await tell({ ...invocation, shell: stage.shell }, telling);
  const exit = exitOfStory(outcomes);
  if (narrator === undefined) terminal.json('demo', { steps: outcomes, exit: EXITS[exit].code });
  else narrator.conclude(outcomes);
  return exit;
}

interface Telling {
  readonly stage: Stage;
  readonly canary: string;
  readonly narrator: Narrator | undefined;
  readonly leaving: AbortSignal;
}

async function tell(invocation: Invocation, telling: Telling): Promise<readonly StepOutcome[]> {
  const { stage, narrator } = telling;
  const played = await playChapters(invocation, telling);
  narrator?.open(CHAPTERS.length + 1, PROOF);
  const report = await verifyJournal(stage);
  narrator?.report(report);
  const proof = checkProof(report, played.lastSequence);
  narrator?.close(proof, PROOF.after);
  narrator?.farewell(ownName(stage.shell));
  return [...played.outcomes, proof];
}

async function playChapters(
  invocation: Invocation,
  { stage, canary, narrator, leaving }: Telling,
): Promise<Played> {
  const isAuto = invocation.flags.has('auto');
  const client = daemonOf(stage.shell);
  return await play({
    client,
    leaving,
    terminal: invocation.shell.terminal,
    listener: isAuto ? answering(client) : attendanceOf(invocation, client),
    ...(narrator === undefined ? {} : { narrator }),
    ...(isAuto ? {} : { pause: pressEnter }),
    examine: async (chapter, outcome) => {
      if (chapter === COMMAND) return await sandboxHelp(outcome, stage.shell);
      if (chapter !== INJECTION) return outcome;
      return withEvidence(outcome, await lookAround(stage, client, canary));
    },
  });
}

function nobodyAnswers(): UsageError {
  return new UsageError(
    'the demo asks questions, and there is no terminal to answer them',
    '`palyra demo --auto` answers its own',
  );
}
