import { PalyraError } from '@palyra/kernel';
import type { RunEvent, WatchRunsResponse } from '@palyra/protocol';
import { errorOf } from '@palyra/client';
import { gateway } from '../../wire/gateway.ts';
import { type StreamState, hear } from '../../wire/stream.ts';
import { MOST_RUNS, type Wants } from './wants.ts';

/** What the tab with the stream tells every tab. */
export type RunWord =
  /** The stream begins anew for these runs; what was being said comes again. */
  | { readonly is: 'again'; readonly runIds: readonly string[] }
  /** Comes right behind that sequence; whoever has not heard so far waits until it is told again. */
  | { readonly is: 'event'; readonly event: RunEvent; readonly after: bigint }
  | ({ readonly is: 'end' } & End)
  | { readonly is: 'state'; readonly state: StreamState['is'] };

/** For whoever has heard the run so far. */
export interface End {
  readonly runId: string;
  readonly after: bigint;
  readonly fault?: Fault;
}

/** An error as it is sent to another tab: those of a class do not arrive whole. */
export type Fault = Pick<PalyraError, 'code' | 'message' | 'help'>;

export interface LeadOrder {
  readonly wants: Wants;
  readonly tell: (word: RunWord) => void;
  /** Which tabs there are. */
  readonly tabs: () => Promise<ReadonlySet<string>>;
  readonly signal: AbortSignal;
}

/** A tab that opens asks for several runs one after the other. */
const GATHER_MS = 30;

/** One stream for what all tabs want. Contract: resolves when the signal is aborted; never rejects. */
export async function leadRuns({ wants, tell, tabs, signal }: LeadOrder): Promise<void> {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  while (!signal.aborted) {
    const { changed } = wants;
    await wants.keepOnly(tabs);
    const runs = wants.together();
    const opening = new AbortController();
    const both = AbortSignal.any([signal, opening.signal]);
    for (const { runId } of runs.slice(MOST_RUNS)) refuse(runId, { wants, tell });
    const over = runs.length === 0 ? changed : stream({ wants, tell, signal: both });
    await Promise.race([over, changed, left]);
    opening.abort();
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
  }
}

type Sharing = Pick<LeadOrder, 'wants' | 'tell'>;

/** How far each run was told. */
type Told = Map<string, bigint>;

async function stream({ wants, tell, signal }: Omit<LeadOrder, 'tabs'>): Promise<void> {
  const told: Told = new Map();
  try {
    await hear<WatchRunsResponse>({
      open: (opening) => {
        const runs = wants.together().slice(0, MOST_RUNS);
        for (const { runId, after } of runs) told.set(runId, after);
        tell({ is: 'again', runIds: runs.map(({ runId }) => runId) });
        const wanted = runs.map(({ runId, after }) => ({ runId, afterSequence: after }));
        return gateway.runs.watchRuns({ runs: wanted }, { signal: opening });
      },
      onMessage: ({ news }) => pass(news, { wants, tell, told }),
      onState: ({ is: state }) => {
        if (!signal.aborted) tell({ is: 'state', state });
      },
      signal,
    });
  } catch (reason) {
    const fault = faultOf(PalyraError.from(reason));
    for (const { runId } of wants.together()) end({ runId, after: 0n, fault }, { wants, tell });
  }
}

function pass(
  news: WatchRunsResponse['news'],
  { wants, tell, told }: Sharing & { readonly told: Told },
): void {
  switch (news.case) {
    case 'event': {
      const { runId, sequence } = news.value;
      const after = told.get(runId) ?? 0n;
      tell({ is: 'event', event: news.value, after });
      wants.heard(runId, { after, sequence });
      if (sequence !== 0n) told.set(runId, sequence);
      return;
    }
    case 'end': {
      const { runId, error } = news.value;
      if (error !== undefined) {
        end({ runId, after: 0n, fault: faultOf(errorOf(error)) }, { wants, tell });
      } else end({ runId, after: told.get(runId) ?? 0n }, { wants, tell });
      return;
    }
    case undefined:
  }
}

function refuse(runId: string, sharing: Sharing): void {
  const message = `more than ${MOST_RUNS} runs are open in this browser`;
  const fault: Fault = { code: 'OVERLOADED', message, help: 'close some of the tabs' };
  end({ runId, after: 0n, fault }, sharing);
}

function end(one: End, { wants, tell }: Sharing): void {
  wants.over(one.runId, one.after);
  tell({ is: 'end', ...one });
}

function faultOf({ code, message, help }: PalyraError): Fault {
  return { code, message, help };
}
