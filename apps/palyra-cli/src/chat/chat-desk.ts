import type { PalyraClient } from '@palyra/client';
import { type Clock, PalyraError } from '@palyra/kernel';
import { type Run, type RunEvent, RunStatus, type Session } from '@palyra/protocol';
import { type ChatEvent, type ChatState, NO_SESSION, type Wish } from './chat-state.ts';
import { chosenModel } from './chosen-model.ts';
import type { Connection } from './connection.ts';
import { followRun } from './follow-run.ts';
import type { AskedQuestion } from './question.ts';
import type { ShownSession } from './session-picker.ts';
import type { PageName } from './slash-commands.ts';

export interface DeskParts {
  /** Where new sessions work; empty for the gateway's own folder. */
  readonly workspace: string;
  readonly connection: Pick<Connection, 'client' | 'comeBack'>;
  readonly clock: Clock;
  readonly state: () => ChatState;
  readonly dispatch: (event: ChatEvent) => void;
  /** Contract: `undefined` for a question that is over. */
  readonly question: (
    client: PalyraClient,
    approvalId: string,
  ) => Promise<AskedQuestion | undefined>;
  readonly printPage: (client: PalyraClient, name: PageName) => Promise<readonly string[]>;
  readonly printUndone: (client: PalyraClient, runId: string) => Promise<readonly string[]>;
  readonly leave: () => void;
}

type Opening = (client: PalyraClient, signal: AbortSignal) => AsyncIterable<RunEvent>;

/** A session that is opened again shows so many of its runs; the others are in the journal. */
const SHOWN_RUNS = 20;
/** Runs that are listed for the earlier prompts, the most that a gateway tells. */
const LISTED_RUNS = 500;
/** The list cuts prompts there, and a prompt that was cut is no prompt. */
const CUT_PROMPT = 500;
const LISTED_SESSIONS = 200;

/** Does what the chat wants, at the gateway. What fails is told in the chat. */
export class ChatDesk {
  readonly #parts: DeskParts;
  /** Of the session that is shown: ends when another one is. */
  #session = new AbortController();
  /** The prompt before is taken: only then is it known which session the next one goes to. */
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  carryOut(wish: Wish): void {
    this.#do(wish).catch((reason: unknown) => this.#fail(reason));
  }

  /** Hears nothing any more. What runs goes on without us. */
  close(): void {
    this.#session.abort();
  }

  async #do(wish: Wish): Promise<void> {
    const { dispatch, leave } = this.#parts;
    const { client } = this.#parts.connection;
    switch (wish.kind) {
      case 'send':
        return await this.#send(wish.ticket, wish.prompt);
      case 'cancel':
        return void (await client.runs.cancelRun({ runId: wish.runId }));
      case 'resume': {
        const { runId } = wish;
        return await this.#follow((now, signal) => now.runs.resumeRun({ runId }, { signal }));
      }
      case 'ask':
        return await this.#ask(wish.approvalId);
      case 'answer':
        return void (await client.approvals.answerApproval(wish.given));
      case 'list-sessions': {
        const { sessions } = await client.sessions.listSessions({ limit: LISTED_SESSIONS });
        return dispatch({ kind: 'sessions', sessions: sessions.map(shownSession) });
      }
      case 'open-session':
        return await this.open(wish.session);
      case 'leave-session':
        return this.#forget();
      case 'rename':
      case 'archive':
      case 'branch':
        return await this.#change(wish);
      case 'undo':
        return dispatch({ kind: 'page', lines: await this.#parts.printUndone(client, wish.runId) });
      case 'page':
        return dispatch({ kind: 'page', lines: await this.#parts.printPage(client, wish.name) });
      case 'choose-model': {
        const { models } = await client.models.listModels({});
        return dispatch({ kind: 'model', name: chosenModel(models, wish.name) });
      }
      case 'leave':
        return leave();
    }
  }

  /** Shows a session: what has run in it, and what runs in it now. */
  async open(session: ShownSession): Promise<void> {
    const { connection, dispatch } = this.#parts;
    const { sessionId } = session;
    const { runs } = await connection.client.runs.listRuns({ limit: LISTED_RUNS, sessionId });
    this.#forget();
    const { signal } = this.#session;
    const prompts = runs.map(({ prompt }) => prompt).filter(({ length }) => length < CUT_PROMPT);
    dispatch({ kind: 'opened', session, prompts: prompts.toReversed() });
    const shown = runs.slice(0, SHOWN_RUNS).toReversed();
    if (runs.length > shown.length) {
      const text = `${runs.length - shown.length} earlier runs are not shown; \`/runs\` lists them`;
      dispatch({ kind: 'told', text });
    }
    for (const run of shown) if (!signal.aborted) await this.#show(run);
  }

  async #show({ runId, status }: Run): Promise<void> {
    const watch: Opening = (client, signal) => client.runs.watchRun({ runId }, { signal });
    if (status === RunStatus.ACTIVE || status === RunStatus.QUEUED) {
      // It goes on for as long as it likes; what comes after it is heard meanwhile.
      this.#follow(watch).catch((reason: unknown) => this.#fail(reason));
    } else {
      await this.#follow(watch, { from: 'past' });
    }
  }

  async #send(ticket: number, prompt: string): Promise<void> {
    const { state, dispatch } = this.#parts;
    const before = this.#turn;
    const taken = Promise.withResolvers<void>();
    this.#turn = taken.promise;
    await before;
    try {
      const { session, model } = state();
      const { sessionId } = session;
      // A session that there is has its own.
      const workspace = sessionId === '' ? this.#parts.workspace : '';
      const start = { prompt, model, sessionId, workspace, mayWait: true };
      await this.#follow((client, signal) => client.runs.startRun(start, { signal }), {
        ticket,
        onFirst: ({ runId }) => void this.#named(runId).then(taken.resolve, taken.resolve),
      });
    } catch (reason) {
      const { message, help } = PalyraError.from(reason);
      dispatch({ kind: 'not-taken', ticket, failure: { message, help } });
    } finally {
      taken.resolve();
    }
  }

  /** The first run of a session makes it; only then has it a name. */
  async #named(runId: string): Promise<void> {
    const { connection, state, dispatch } = this.#parts;
    if (state().session.sessionId !== '') return;
    const { signal } = this.#session;
    const { client } = connection;
    const { run } = await client.runs.getRun({ runId });
    const sessionId = run?.sessionId ?? '';
    if (signal.aborted) return;
    dispatch({ kind: 'renamed', session: { sessionId, title: '', changedAt: '' } });
    const { session } = await client.sessions.getSession({ sessionId });
    if (session !== undefined && !signal.aborted) {
      dispatch({ kind: 'renamed', session: shownSession(session) });
    }
  }

  async #follow(open: Opening, how: How = {}): Promise<void> {
    const { connection, clock, dispatch } = this.#parts;
    const { signal } = this.#session;
    const { from = 'live', ticket, onFirst } = how;
    let isFirst = true;
    await followRun({
      comeBack: () => connection.comeBack(),
      open: () => open(connection.client, signal),
      openAgain: (runId, afterSequence) =>
        connection.client.runs.watchRun({ runId, afterSequence }, { signal }),
      signal,
      hear: (event) => {
        dispatch({ kind: 'run', told: { event, ticket, from }, at: clock.now().getTime() });
        if (isFirst) onFirst?.(event);
        isFirst = false;
      },
    });
  }

  async #ask(approvalId: string): Promise<void> {
    const { connection, clock, dispatch, question } = this.#parts;
    const { signal } = this.#session;
    const asked = await question(connection.client, approvalId);
    if (asked === undefined || signal.aborted) return;
    dispatch({ kind: 'question', asked, at: clock.now().getTime() });
  }

  async #change(wish: Extract<Wish, { kind: 'rename' | 'archive' | 'branch' }>): Promise<void> {
    const { connection, dispatch } = this.#parts;
    const { sessions } = connection.client;
    switch (wish.kind) {
      case 'rename': {
        const { session } = await sessions.renameSession(wish);
        if (session === undefined) return;
        dispatch({ kind: 'renamed', session: shownSession(session) });
        return dispatch({ kind: 'told', text: `this session is called \`${session.title}\` now` });
      }
      case 'archive':
        await sessions.archiveSession({ sessionId: wish.sessionId, isArchived: true });
        dispatch({ kind: 'told', text: 'the session is archived; nothing of it is forgotten' });
        this.#forget();
        return dispatch({ kind: 'opened', session: NO_SESSION, prompts: [] });
      case 'branch': {
        const { session } = await sessions.branchSession(wish);
        if (session !== undefined) await this.open(shownSession(session));
      }
    }
  }

  #forget(): void {
    this.#session.abort();
    this.#session = new AbortController();
    this.#turn = Promise.resolve();
  }

  #fail(reason: unknown): void {
    const { message, help } = PalyraError.from(reason);
    this.#parts.dispatch({ kind: 'failed', failure: { message, help } });
  }
}

interface How {
  readonly from?: 'past' | 'live';
  readonly ticket?: number;
  readonly onFirst?: (event: RunEvent) => void;
}

export function shownSession({ sessionId, title, changedAt }: Session): ShownSession {
  return { sessionId, title, changedAt };
}
