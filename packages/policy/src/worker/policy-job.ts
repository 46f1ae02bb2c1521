/** Work on rules that takes a while or much memory, and therefore a thread of its own. */
export interface PolicyJob<Init, Batch, Result> {
  /** Runs once, in the thread, before the first batch. */
  open(init: Init): OpenedJob<Batch, Result>;
}

/** Everything that goes in and comes out is plain data: it is copied from thread to thread. */
export interface OpenedJob<Batch, Result> {
  /** Contract: called for one batch after the other, never for two at once. */
  take(batch: Batch): Result | Promise<Result>;
}

/** From the main thread: first how to begin, then batches. */
export type ToThread =
  | { readonly kind: 'open'; readonly job: string; readonly init: unknown }
  | { readonly kind: 'batch'; readonly batch: unknown };

/** One for each batch, in their order. */
export type FromThread<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly help: string;
    };
