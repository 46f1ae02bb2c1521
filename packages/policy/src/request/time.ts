/** Down to the minute, in UTC: finer, no question would ever be asked twice. */
export function timeFacts(now: Date) {
  return {
    date: now.toISOString().slice(0, 10),
    weekday: now.getUTCDay() === 0 ? SUNDAY : now.getUTCDay(),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
  };
}

/** Monday is 1. */
const SUNDAY = 7;
