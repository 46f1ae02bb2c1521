import { create } from '@bufbuild/protobuf';
import {
  type Explanation,
  type Origin,
  describeOrigin,
  describeSection,
  writeValue,
} from '@palyra/config';
import type { ConfigDesk } from '@palyra/gateway';
import { type Json, hideSecrets } from '@palyra/kernel';
import {
  type ConfigKey,
  ConfigKeySchema,
  ConfigLayer,
  type ConfigOrigin,
  ConfigOriginSchema,
  type GetConfigResponse,
  GetConfigResponseSchema,
} from '@palyra/protocol';
import { type Settings, SECTIONS } from './sections.ts';

export interface ConfigDeskParts {
  readonly settings: Pick<Settings, 'show' | 'explain'>;
  /** The operator's own file. */
  readonly file: string;
  readonly readAt: Date;
}

/** The configuration as `palyra config explain` tells it, key by key. */
export function createConfigDesk({ settings, file, readAt }: ConfigDeskParts): ConfigDesk {
  const read = (): GetConfigResponse =>
    create(GetConfigResponseSchema, {
      sections: sectionsOf(settings),
      file,
      readAt: readAt.toISOString(),
    });
  let shown: GetConfigResponse | undefined;
  return { show: () => (shown ??= read()) };
}

function sectionsOf(settings: ConfigDeskParts['settings']) {
  return Object.entries(SECTIONS).map(([name, schema]) => ({
    name,
    description: describeSection(schema),
    keys: settings
      .show()
      .filter(({ key }) => key.startsWith(`${name}.`))
      .map(({ key }) => keyMessage(settings.explain(key))),
  }));
}

function keyMessage(explanation: Explanation): ConfigKey {
  const { key, description, takes, environmentName, isSecret, losers } = explanation;
  const text = isSecret ? () => undefined : shownText;
  const [value, defaultValue] = [text(explanation.value), text(explanation.default)];
  return create(ConfigKeySchema, {
    key,
    description,
    takes,
    environmentName,
    isSecret,
    isSet: explanation.value !== undefined,
    ...(value !== undefined && { value }),
    ...(defaultValue !== undefined && { defaultValue }),
    origin: originMessage(explanation.origin),
    losers: losers.map((loser) => loserFields(loser.origin, text(loser.value))),
  });
}

/** Of what is not declared a secret, but looks like one, nothing is told either. */
function shownText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : writeValue(hideSecrets(value));
}

function loserFields(origin: Origin, value: string | undefined) {
  return { origin: originMessage(origin), ...(value !== undefined && { value }) };
}

const LAYERS: Readonly<Record<Origin['kind'], ConfigLayer>> = {
  'built-in': ConfigLayer.BUILT_IN,
  profile: ConfigLayer.PROFILE,
  system: ConfigLayer.SYSTEM,
  user: ConfigLayer.USER,
  named: ConfigLayer.NAMED,
  environment: ConfigLayer.ENVIRONMENT,
  flag: ConfigLayer.FLAG,
  workspace: ConfigLayer.WORKSPACE,
};

function originMessage(origin: Origin): ConfigOrigin {
  const place = 'file' in origin ? { file: origin.file, line: origin.line ?? 0 } : {};
  return create(ConfigOriginSchema, {
    layer: LAYERS[origin.kind],
    words: describeOrigin(origin),
    ...place,
  });
}
