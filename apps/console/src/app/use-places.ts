import { useCaller } from './caller.ts';
import { PLACES, type Place } from './places.tsx';

/** Where this caller may go. */
export function usePlaces(): readonly Place[] {
  const { permissions } = useCaller();
  return PLACES.filter(({ needs }) => needs === undefined || permissions.includes(needs));
}
