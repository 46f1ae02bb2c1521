/** Work on rules that takes a while or much memory, and therefore a process of its own. */
export interface PolicyJob<Init, Batch, Result> {
  /** Runs once, over there, before the first batch. */
  open(init: Init): OpenedJob<Batch, Result>;
}

/** Everything that goes in and comes out is plain data: it is copied from one process to the other. */
export interface OpenedJob<Batch, Result> {
  /** Contract: called for one batch after the other, never for two at once. */
  take(batch: Batch): Result | Promise<Result>;
}

/** From the daemon: first how to begin, then batches. */
export type ToWorker =
  | { readonly kind: 'open'; readonly job: string; readonly init: unknown }
  | { readonly kind: 'batch'; readonly batch: unknown };

/** One for each batch, in their order. */
export type FromWorker<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly help: string;
    };
