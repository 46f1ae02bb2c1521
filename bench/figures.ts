import type { Figure } from './figure.ts';

/** In the order of the report. Loaded one at a time: a figure brings nothing of the others along. */
export const FIGURES = {
  'cli-start': async () => (await import('./figures/cli-start.ts')).cliStart,
  'daemon-start': async () => (await import('./figures/daemon-start.ts')).daemonStart,
  'daemon-memory': async () => (await import('./figures/daemon-memory.ts')).daemonMemory,
  'journal-append': async () => (await import('./figures/journal-append.ts')).journalAppend,
  'journal-loop-delay': async () =>
    (await import('./figures/journal-loop-delay.ts')).journalLoopDelay,
  'journal-verify': async () => (await import('./figures/journal-verify.ts')).journalVerify,
  'journal-open': async () => (await import('./figures/journal-open.ts')).journalOpen,
  'console-paint': async () => (await import('./figures/console-paint.ts')).consolePaint,
  'console-scroll': async () => (await import('./figures/console-scroll.ts')).consoleScroll,
  'console-lighthouse': async () =>
    (await import('./figures/console-lighthouse.ts')).consoleLighthouse,
  'console-journal': async () => (await import('./figures/console-journal.ts')).consoleJournal,
  'journal-page': async () => (await import('./figures/journal-page.ts')).journalPage,
  'rpc-unary': async () => (await import('./figures/rpc-unary.ts')).rpcUnary,
  'tls-handshake': async () => (await import('./figures/tls-handshake.ts')).tlsHandshake,
  'policy-decision': async () => (await import('./figures/policy-decision.ts')).policyDecision,
  'policy-backtest': async () => (await import('./figures/policy-backtest.ts')).policyBacktest,
  'policy-memory': async () => (await import('./figures/policy-memory.ts')).policyMemory,
  'sandbox-start': async () => (await import('./figures/sandbox-start.ts')).sandboxStart,
  'sandbox-project': async () => (await import('./figures/sandbox-project.ts')).sandboxProject,
  'sandbox-loop': async () => (await import('./figures/sandbox-loop.ts')).sandboxLoop,
  'sandbox-memory': async () => (await import('./figures/sandbox-memory.ts')).sandboxMemory,
  'sandbox-end': async () => (await import('./figures/sandbox-end.ts')).sandboxEnd,
  'egress-proxy': async () => (await import('./figures/egress-proxy.ts')).egressProxy,
  'run-turn': async () => (await import('./figures/run-turn.ts')).runTurn,
  'run-first-token': async () => (await import('./figures/run-first-token.ts')).runFirstToken,
  'run-streams': async () => (await import('./figures/run-streams.ts')).runStreams,
  'session-memory': async () => (await import('./figures/session-memory.ts')).sessionMemory,
  'http-route': async () => (await import('./figures/http-route.ts')).httpRoute,
} as const satisfies Record<string, () => Promise<Figure>>;

export type FigureName = keyof typeof FIGURES;

export function isFigureName(text: string): text is FigureName {
  return Object.hasOwn(FIGURES, text);
}

export const FIGURE_NAMES: readonly FigureName[] = Object.keys(FIGURES).filter(isFigureName);
