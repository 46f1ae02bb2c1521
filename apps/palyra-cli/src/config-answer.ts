import { type Json, type JsonObject, PalyraError, isJsonObject } from '@palyra/kernel';
import { inline } from './render/words.ts';

/** What `palyrad config …` answers with, read leniently: a field that is not there is shown as such. */
export interface SettingAnswer {
  readonly key: string;
  readonly value: Json | undefined;
  readonly origin: string;
}

export function readSettings(answer: JsonObject): readonly SettingAnswer[] {
  const { settings } = answer;
  if (!Array.isArray(settings)) {
    throw new PalyraError('UNEXPECTED', 'palyrad answered without settings');
  }
  return settings.filter(isJsonObject).map(readSetting);
}

export function readSetting(answer: JsonObject): SettingAnswer {
  return {
    key: textOf(answer, 'key'),
    value: answer['value'],
    origin: originWords(answer['origin']),
  };
}

/** A value as one would write it in the file. */
export function valueWords(value: Json | undefined): string {
  return value === undefined ? 'not set' : inline(JSON.stringify(value));
}

/** Contract: empty when the answer has no such text. */
export function textOf(answer: JsonObject, name: string): string {
  const value = answer[name];
  return typeof value === 'string' ? inline(value) : '';
}

/** Which layer a value came from: its kind, and where in it. */
export function originWords(origin: Json | undefined): string {
  if (!isJsonObject(origin)) return 'unknown';
  const { line } = origin;
  const where = textOf(origin, 'file') || textOf(origin, 'profile') || textOf(origin, 'name');
  const place = typeof line === 'number' ? `${where}:${line}` : where;
  return place === '' ? textOf(origin, 'kind') : `${textOf(origin, 'kind')} ${place}`;
}
