import type { ChildProcess } from 'node:child_process';
import type { Bytes } from '@palyra/kernel';
import type { EgressRequest, SandboxRequest } from './model.ts';
import type { RunWatch } from './service/sandboxes.ts';

/**
 * The way out of a sandbox whose network is empty. Declared here and built by whoever starts
 * sandboxes: this box knows processes and no hosts.
 */
export interface WayOutPort {
  /**
   * The entries in their one spelling, sorted: equal lists are one list, also for what is warm.
   * Contract: throws INVALID_INPUT for one that is malformed or contradicts another.
   */
  canonical(egress: EgressRequest): readonly string[];
  /**
   * For `preflight`: looks for hosts in the words, checks those and the declared ones, resolves them.
   * Contract: throws SANDBOX_EGRESS_DENIED; nothing of it is enforced afterwards.
   */
  preflight(request: SandboxRequest): Promise<void>;
  /** A static program that listens inside, hands its socket over on `channel`, and becomes another. */
  listener(order: { readonly channel: number; readonly becomes: string }): Bytes;
  /**
   * Takes the socket from a child that runs `listener`, and serves it. Contract: rejects with
   * SANDBOX_UNAVAILABLE when none comes or the signal is aborted.
   */
  open(child: ChildProcess, order: WayOutOrder): Promise<WayOut>;
}

export interface WayOutOrder {
  /** Names the sandbox in its records. */
  readonly id: string;
  readonly egress: Extract<EgressRequest, { readonly mode: 'strict' }>;
  readonly signal: AbortSignal;
}

/** One sandbox's proxy while it lives. */
export interface WayOut {
  /** Proxies, and placeholders of secrets; what the command's own environment does not name. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the sandbox has to trust where requests are read inside TLS, as PEM. */
  readonly authorityPem: string | undefined;
  /**
   * From here on its watch is told of each connection that has ended, and asked about each before it is made.
   * Contract: once, before the command starts; until then nobody is reached.
   */
  attend(watch: Pick<RunWatch, 'onConnection' | 'mayConnect'>): void;
  /** Contract: once; every record was told when it resolves. */
  close(): Promise<void>;
}
