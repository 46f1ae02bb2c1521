const PIN_DIGITS = 6;

/** `123456` as people read it: `123 456`. */
export function formatPin(pin: string): string {
  return `${pin.slice(0, PIN_DIGITS / 2)} ${pin.slice(PIN_DIGITS / 2)}`;
}

/** Contract: `undefined` unless the text is six digits, with at most one space or dash in the middle. */
export function parsePin(text: string): string | undefined {
  const match = /^([0-9]{3})[ -]?([0-9]{3})$/.exec(text.trim());
  return match === null ? undefined : `${match[1]}${match[2]}`;
}
