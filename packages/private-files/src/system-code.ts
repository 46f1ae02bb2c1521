/** How the system names what went wrong, `ENOSPC`; `undefined` for anything it has not thrown. */
export function systemCode(reason: unknown): string | undefined {
  if (!(reason instanceof Error) || !('code' in reason)) return undefined;
  return typeof reason.code === 'string' ? reason.code : undefined;
}
