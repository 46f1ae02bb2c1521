import { type DescMessage, fromJson, type MessageShape } from '@bufbuild/protobuf';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type PolicyProblem, PolicyProblemSchema } from '@palyra/protocol';
import { rawAnswer, toError } from './daemon-program.ts';
import type { Shell } from './command.ts';

/** Asks what needs the daemon's code and no running daemon. Contract: throws the fault it answers. */
export async function askAboutRules(shell: Shell, words: readonly string[]): Promise<JsonObject> {
  const answer = await rawAnswer(shell, ['policy', ...words]);
  const { error } = answer;
  if (isJsonObject(error)) throw toError(error);
  return answer;
}

export function problemsIn(answer: JsonObject): readonly PolicyProblem[] {
  return objectsIn(answer, 'problems').map((problem) => read(PolicyProblemSchema, problem));
}

export function objectsIn(answer: JsonObject, name: string): readonly JsonObject[] {
  const list = answer[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function read<Desc extends DescMessage>(schema: Desc, json: JsonObject): MessageShape<Desc> {
  return fromJson(schema, json, { ignoreUnknownFields: true });
}
