import type { ApprovalRecord } from '@palyra/protocol';

type Wake = () => void;

/** Who waits for a question to be over, and who watches all of them. */
export class WaitingRoom {
  readonly #waiters = new Map<string, Set<Wake>>();
  readonly #watchers = new Set<(record: ApprovalRecord) => void>();

  /** Contract: called after the change is durable. */
  tell(record: ApprovalRecord): void {
    for (const watcher of this.#watchers) watcher(record);
    for (const wake of this.#waiters.get(record.approvalId) ?? []) wake();
  }

  /** Wakes with every change of one question. Contract: it does not throw or wait. */
  wait(approvalId: string, wake: Wake): Disposable {
    const waiters = this.#waiters.get(approvalId) ?? new Set();
    this.#waiters.set(approvalId, waiters.add(wake));
    return {
      [Symbol.dispose]: () => {
        waiters.delete(wake);
        if (waiters.size === 0) this.#waiters.delete(approvalId);
      },
    };
  }

  /** Contract: a watcher does not throw or wait. */
  watch(watcher: (record: ApprovalRecord) => void): Disposable {
    this.#watchers.add(watcher);
    return { [Symbol.dispose]: () => this.#watchers.delete(watcher) };
  }
}
