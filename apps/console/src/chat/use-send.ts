import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { firstOf } from '../runs/feed/first-of.ts';
import { type PickedImage, readImages } from './use-images.ts';

export interface Message {
  readonly prompt: string;
  readonly model: string;
  readonly images: readonly PickedImage[];
}

export interface Destination {
  /** Empty: a new session. */
  readonly sessionId: string;
  /** Of a new session; empty: the one that the gateway was started in. */
  readonly workspace: string;
}

/** Starts a run with a prompt, or queues it behind the one that goes on. Answers with its id. */
export function useSend(destination: Destination, onStarted: (runId: string) => void) {
  return useAct({
    async act({ prompt, model, images }: Message) {
      const said = { prompt, model, images: await readImages(images) };
      const request = { ...destination, ...said, mayWait: true };
      const { runId } = await firstOf((signal) => gateway.runs.startRun(request, { signal }));
      return runId;
    },
    changes: ['runs', 'sessions'],
    after: onStarted,
  });
}
