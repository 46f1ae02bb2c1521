/** `2026-01-31T23:59` of this browser's time zone, for a field; empty for what is no moment. */
export function toLocalField(moment: string): string {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return '';
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-');
  return `${day}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** RFC 3339 in UTC; empty for what is no moment. */
export function fromLocalField(field: string): string {
  const time = new Date(field);
  return field === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
