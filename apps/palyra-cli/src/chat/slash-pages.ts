import type { PalyraClient } from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import { ApprovalStatus } from '@palyra/protocol';
import { peopleOf } from '../people.ts';
import { printApprovals } from '../render/approvals.ts';
import { printGrant } from '../render/grants.ts';
import { gatewayFields } from '../render/health.ts';
import { printFields } from '../render/layout.ts';
import { printModels } from '../render/models.ts';
import { printRuns } from '../render/runs.ts';
import { printUndone } from '../render/undone.ts';
import type { Terminal } from '../terminal.ts';
import { type ChatPage, chatPage } from './chat-page.ts';
import type { ChatState } from './chat-state.ts';
import type { PageName } from './slash-commands.ts';

/** Columns that a page stands in from the edge. */
const INDENT = 2;
const LISTED = 20;

export interface WantedPage {
  readonly name: PageName;
  readonly state: ChatState;
}

/** What a slash command shows: the same as the command of that name. */
export async function printPage(
  parts: ChatPage,
  client: PalyraClient,
  wanted: WantedPage,
): Promise<readonly string[]> {
  const print = await printerOf(parts, client, wanted);
  return chatPage(parts, INDENT, print);
}

export async function printUndonePage(
  parts: ChatPage,
  client: PalyraClient,
  runId: string,
): Promise<readonly string[]> {
  const { files } = await client.runs.undoRun({ runId });
  return chatPage(parts, INDENT, (terminal) => printUndone(terminal, files));
}

type Printer = (terminal: Terminal) => void;

async function printerOf(
  { invocation }: ChatPage,
  client: PalyraClient,
  { name, state }: WantedPage,
): Promise<Printer> {
  switch (name) {
    case 'runs': {
      const { sessionId } = state.session;
      const { runs } =
        sessionId === '' ? { runs: [] } : await client.runs.listRuns({ limit: LISTED, sessionId });
      return runs.length === 0
        ? says('nothing has run in this session')
        : (to) => printRuns(to, runs);
    }
    case 'approvals': {
      const { approvals } = await client.approvals.listApprovals({
        status: ApprovalStatus.PENDING,
        limit: LISTED,
      });
      const now = systemClock().now();
      return approvals.length === 0
        ? says('nothing waits for an answer')
        : (to) => printApprovals(to, approvals, now);
    }
    case 'grants': {
      const { grants, approvals } = await client.approvals.listGrants({});
      const people = await peopleOf(invocation, client);
      const view = { people, now: systemClock().now(), approvals };
      if (grants.length === 0) return says('no grant holds');
      return (to) => grants.forEach((grant) => printGrant(to, grant, view));
    }
    case 'models': {
      const { models } = await client.models.listModels({});
      return (to) => printModels(to, models);
    }
    case 'status': {
      const health = await client.health.getHealth({});
      return (to) => printFields(to, gatewayFields(health));
    }
  }
}

function says(text: string): Printer {
  return (terminal) => terminal.print(text);
}
