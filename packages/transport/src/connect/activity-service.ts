import type { ServiceImpl } from '@connectrpc/connect';
import type { ActivityFlows, ActivitySlot, SlotLength } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import type { ActivityService } from '@palyra/protocol';
import { optionalMoment, toCount } from './wire-words.ts';

const DAY_BOUNDS = { field: 'days', whenZero: 7, most: 30 } as const;

export function activityService(activity: ActivityFlows): ServiceImpl<typeof ActivityService> {
  return {
    async getActivity(request) {
      const since = optionalMoment(request.since, 'since');
      if (since === undefined) throw new PalyraError('INVALID_INPUT', '`since` is missing');
      const slots = await activity.slots(since, slotLength(request.slotSeconds));
      return { slots: slots.map(toSlot) };
    },
    async getRuleActivity(request) {
      const rules = await activity.rules(toCount(request.days, DAY_BOUNDS));
      return { rules: rules.map((rule) => ({ ...rule, count: BigInt(rule.count) })) };
    },
  };
}

function slotLength(seconds: number): SlotLength {
  if (seconds === 3_600) return 'hour';
  if (seconds === 86_400) return 'day';
  throw new PalyraError('INVALID_INPUT', `\`slot_seconds\` is ${seconds}`, {
    help: 'ask for hours with `3600` or for days with `86400`',
  });
}

function toSlot(slot: ActivitySlot) {
  return {
    start: slot.start.toISOString(),
    runs: BigInt(slot.runs),
    callsAllowed: BigInt(slot.callsAllowed),
    callsAsked: BigInt(slot.callsAsked),
    callsDenied: BigInt(slot.callsDenied),
    callsFailed: BigInt(slot.callsFailed),
    tokens: BigInt(slot.tokens),
    costMicroUsd: BigInt(slot.costMicroUsd),
  };
}
