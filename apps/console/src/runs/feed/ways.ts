import type { RunEvent } from '@palyra/protocol';
import { gateway } from '../../wire/gateway.ts';
import { hear } from '../../wire/stream.ts';
import { type HubOrder, RunHub } from './run-hub.ts';

/** With all other tabs, or by a stream of its own. */
export type FeedWay = 'shared' | 'alone';

/** Contract: as of `RunHub.hear`. */
export type Ways = Readonly<Record<FeedWay, (order: HubOrder) => Promise<void>>>;

/** One for this tab, made when it first follows a run. */
const kept: { hub?: RunHub } = {};

export const WAYS: Ways = {
  async shared(order) {
    kept.hub ??= new RunHub();
    await kept.hub.hear(order);
  },
  async alone({ runId, after, onAgain, onMessage, onState, signal }) {
    await hear<RunEvent>({
      open: (opening) => {
        onAgain();
        return gateway.runs.watchRun({ runId, afterSequence: after() }, { signal: opening });
      },
      onMessage,
      onState: ({ is }) => onState(is),
      signal,
    });
  },
};
