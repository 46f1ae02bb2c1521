import { hideSecretsIn, visibleText } from '@palyra/kernel';
import {
  ApprovalStatus,
  AuthorityState,
  Capability,
  DecisionKind,
  DeviceKind,
  DeviceState,
  Executor,
  PairingSecret,
  PairingState,
  PrincipalKind,
  Readiness,
  Risk,
  Role,
  RunStatus,
  StopReason,
  ToolOutcome,
} from '@palyra/protocol';
import type { Tone } from '../terminal.ts';

/** Enum values as people read them: `SANDBOX_TIER_A_WASM` is `sandbox tier a wasm`. */
function spoken(names: Readonly<Record<string, number>>, value: number): string {
  const name = Object.entries(names).find(([, number]) => number === value)?.[0];
  return name === undefined ? `unknown (${value})` : name.toLowerCase().replaceAll('_', ' ');
}

export const approvalStatusWord = (value: ApprovalStatus): string => spoken(ApprovalStatus, value);
export const authorityStateWord = (value: AuthorityState): string => spoken(AuthorityState, value);
export const capabilityWord = (value: Capability): string => spoken(Capability, value);
export const decisionWord = (value: DecisionKind): string => spoken(DecisionKind, value);
export const deviceKindWord = (value: DeviceKind): string => spoken(DeviceKind, value);
export const deviceStateWord = (value: DeviceState): string => spoken(DeviceState, value);
export const executorWord = (value: Executor): string => spoken(Executor, value);
export const outcomeWord = (value: ToolOutcome): string => spoken(ToolOutcome, value);
export const pairingSecretWord = (value: PairingSecret): string => spoken(PairingSecret, value);
export const pairingStateWord = (value: PairingState): string => spoken(PairingState, value);
export const principalKindWord = (value: PrincipalKind): string => spoken(PrincipalKind, value);
export const readinessWord = (value: Readiness): string => spoken(Readiness, value);
export const riskWord = (value: Risk): string => spoken(Risk, value);
export const roleWord = (value: Role): string => spoken(Role, value);
export const stopReasonWord = (value: StopReason): string => spoken(StopReason, value);
export const statusWord = (value: RunStatus): string => spoken(RunStatus, value);

export function statusTone(status: RunStatus): Tone {
  switch (status) {
    case RunStatus.COMPLETED:
      return 'good';
    case RunStatus.ACTIVE:
    case RunStatus.QUEUED:
      return 'accent';
    case RunStatus.CANCELLED:
    case RunStatus.INTERRUPTED:
      return 'warning';
    case RunStatus.FAILED:
    case RunStatus.UNSPECIFIED:
      return 'bad';
  }
  // A status of a newer daemon.
  return 'warning';
}

/** Foreign text on one line of ours. */
export function inline(text: string): string {
  return visibleText(text, 'one-line');
}

/** The same for what a person or a model wrote, such as a prompt: what is a secret in it stays hidden. */
export function inlineWithoutSecrets(text: string): string {
  return inline(hideSecretsIn(text));
}

/** `2026-11-15T21:30:04.120Z` as `2026-11-15 21:30:04`; anything else stays as it is. */
export function shortTime(time: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(time);
  return parts === null ? inline(time) : `${parts[1]} ${parts[2]}`;
}

/** A fingerprint in groups of four, so that two people can read it to one another. */
export function spacedFingerprint(hex: string): string {
  return inline(hex).replaceAll(/([0-9a-f]{4})(?=[0-9a-f])/g, '$1 ');
}

/** In dollars, without zeros that say nothing. */
export function usd(micro: bigint): string {
  return String(Number(micro) / 1_000_000);
}
