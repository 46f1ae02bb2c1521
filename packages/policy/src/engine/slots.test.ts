import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

it('the active set alternates between two places, however often it changes', () => {
  const slots = new Slots('1');
  const ids = Array.from({ length: 150 }, () => {
    const place = slots.vacate('active');
    slots.occupy('active', place);
    return place.id;
  });
  expect(ids.slice(0, 4)).toEqual(['1:active-1', '1:active-2', '1:active-1', '1:active-2']);
  expect(new Set(ids).size).toBe(2);
});

it('a load that fails leaves the place of the set in force alone', () => {
  const slots = new Slots('1');
  const inForce = slots.vacate('active');
  const holder = slots.occupy('active', inForce);
  slots.vacate('active');
  slots.vacate('active');
  expect(inForce.holder).toBe(holder);
});

it('two engines share no place', () => {
  expect(new Slots('1').vacate('scratch').id).not.toBe(new Slots('2').vacate('scratch').id);
});
