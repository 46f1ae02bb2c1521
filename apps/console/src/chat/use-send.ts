import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { firstOf } from '../runs/feed/first-of.ts';
import { type PickedImage, readImages } from './use-images.ts';

export interface Message {
  readonly prompt: string;
  readonly model: string;
  readonly images: readonly PickedImage[];
}

/** Starts a run with a prompt, or queues it behind the one that goes on. Answers with its id. */
export function useSend(sessionId: string, onStarted: (runId: string) => void) {
  return useAct({
    async act({ prompt, model, images }: Message) {
      const request = { sessionId, prompt, model, images: await readImages(images), mayWait: true };
      const { runId } = await firstOf((signal) => gateway.runs.startRun(request, { signal }));
      return runId;
    },
    changes: ['runs', 'sessions'],
    after: onStarted,
  });
}
