import { PalyraError, systemClock } from '@palyra/kernel';
import { canDraw } from '../ask.ts';
import { everySecond } from '../every-second.ts';
import { ChatDesk, shownSession } from '../chat/chat-desk.ts';
import { type ChatState, freshChat } from '../chat/chat-state.ts';
import { ChatStore } from '../chat/chat-store.ts';
import { Connection } from '../chat/connection.ts';
import { readQuestion } from '../chat/read-question.ts';
import { printPage, printUndonePage } from '../chat/slash-pages.ts';
import type { ShownSession } from '../chat/session-picker.ts';
import { welcomeLines } from '../chat/welcome.ts';
import { type Invocation, wantsJson } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { onInterrupt } from '../interrupts.ts';
import { namedWorkspace } from '../named-workspace.ts';
import { inline } from '../render/words.ts';
import { UsageError } from '../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  refuseWithoutPerson(invocation);
  const clock = systemClock();
  const leaving = new AbortController();
  const store = new ChatStore(freshChat(invocation.text.get('model') ?? '', clock.now().getTime()));
  await using connection = new Connection({
    shell: withNotesIn(invocation, store).shell,
    clock,
    signal: leaving.signal,
    onAway: (why) => store.dispatch({ kind: 'away', why }),
    onBack: () => store.dispatch({ kind: 'back' }),
  });
  // Whoever cannot be reached, or is not known, is told so before the terminal is taken over.
  const health = await connection.client.health.getHealth({});
  const session = await namedSession(invocation, connection);
  const parts = { invocation, columns: () => process.stdout.columns };
  const desk = new ChatDesk({
    connection,
    clock,
    workspace: namedWorkspace(invocation),
    state: () => store.state,
    dispatch: (event) => store.dispatch(event),
    question: (client, approvalId) => readQuestion(parts, client, approvalId),
    printPage: (client, name) => printPage(parts, client, { name, state: store.state }),
    printUndone: (client, runId) => printUndonePage(parts, client, runId),
    leave: () => leaving.abort(),
  });
  store.serveWith((wish) => desk.carryOut(wish));
  store.dispatch({ kind: 'page', lines: welcomeLines(parts, health) });
  if (session !== undefined) desk.carryOut({ kind: 'open-session', session });
  try {
    await show(invocation, store, leaving);
  } finally {
    leaving.abort();
    desk.close();
  }
  sayFarewell(invocation, store.state);
  return 'ok';
}

function refuseWithoutPerson(invocation: Invocation): void {
  const help = '`palyra run "…"` does one task and takes `--json`';
  if (wantsJson(invocation)) throw new UsageError('a chat has no answer to print as JSON', help);
  const isPlain = invocation.shell.environment['TERM'] === 'dumb';
  if (canDraw(invocation) && !isPlain) return;
  throw new UsageError('a chat needs a terminal to type in', help);
}

async function namedSession(
  invocation: Invocation,
  { client }: Connection,
): Promise<ShownSession | undefined> {
  const sessionId = invocation.text.get('session');
  if (sessionId === undefined) return undefined;
  const { session } = await client.sessions.getSession({ sessionId });
  if (session !== undefined) return shownSession(session);
  throw new PalyraError('UNEXPECTED', 'the gateway answered without a session');
}

/** Draws the chat until it is left, by a key, a signal or a fault. */
async function show(
  { shell }: Invocation,
  store: ChatStore,
  leaving: AbortController,
): Promise<void> {
  const { openScreen } = await import('../chat/screen.ts');
  const clock = systemClock();
  const at = () => clock.now().getTime();
  const paint = shell.terminal.paint;
  using cleanup = new DisposableStack();
  const screen = cleanup.use(
    openScreen({
      stdin: process.stdin,
      stdout: process.stdout,
      look: { paint, hasColour: paint('strong', '') !== '', environment: shell.environment },
      stage: {
        state: () => store.state,
        subscribe: (listener) => store.subscribe(listener),
        onPress: (press) => store.dispatch({ kind: 'pressed', press, at: at() }),
        dispatch: (event) => store.dispatch(event),
      },
    }),
  );
  cleanup.use(onInterrupt(() => leaving.abort()));
  cleanup.use(everySecond(() => store.dispatch({ kind: 'ticked', at: at() })));
  await Promise.race([untilAborted(leaving.signal), screen.closed]);
  screen[Symbol.dispose]();
  await screen.closed;
}

/** What would be noted beside a command's answer would tear the drawn screen. */
function withNotesIn(invocation: Invocation, store: ChatStore): Invocation {
  const note = (text: string) => store.dispatch({ kind: 'told', text });
  const { shell } = invocation;
  return { ...invocation, shell: { ...shell, terminal: { ...shell.terminal, note } } };
}

function sayFarewell({ shell }: Invocation, state: ChatState): void {
  const { session } = state;
  if (session.sessionId === '') return;
  const { terminal } = shell;
  if (state.run !== undefined) terminal.print('the run goes on without you');
  terminal.print(`go on with: palyra chat --session ${inline(session.sessionId)}`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
