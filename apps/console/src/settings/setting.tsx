import type { ConfigKey } from '@palyra/protocol';
import { Badge, type Fact, Facts, Fold, Words } from '@palyra/ui';
import { isSetBySomebody } from './wanted.ts';

/** One setting: what it is, what it is set to and by whom; all that lost behind it. */
export function Setting({ setting }: { readonly setting: ConfigKey }) {
  return (
    <li>
      <Fold
        look="row"
        summary={
          <>
            <code className="font-medium">{setting.key}</code>
            <code
              className="min-w-0 flex-[1_1_6rem] truncate text-soft"
              title={shownValue(setting)}
            >
              {shownValue(setting)}
            </code>
            <Badge tone={isSetBySomebody(setting) ? 'accent' : 'plain'}>
              {/* It may be the path of a file, which no phone has the width for. */}
              <span className="wrap-anywhere whitespace-normal">
                {setting.origin?.words ?? 'unknown'}
              </span>
            </Badge>
          </>
        }
      >
        <div className="border-t border-line bg-raised/50 px-4 py-3">
          <p className="mb-3 text-sm">
            <Words text={setting.description} />
          </p>
          <Facts facts={factsOf(setting)} />
        </div>
      </Fold>
    </li>
  );
}

function shownValue({ value, isSecret, isSet }: ConfigKey): string {
  if (isSecret) return isSet ? 'secret, set' : 'secret, not set';
  return value ?? 'not set';
}

function factsOf(setting: ConfigKey): readonly Fact[] {
  const lost = setting.losers.map(({ origin, value }): Fact => {
    return [`Lost: ${origin?.words ?? 'unknown'}`, <code key="value">{value ?? 'secret'}</code>];
  });
  return [
    ['Value', <code key="value">{shownValue(setting)}</code>],
    ['Set by', setting.origin?.words ?? 'unknown'],
    ...lost,
    ['Default', <code key="default">{setting.defaultValue ?? 'none'}</code>],
    ['Takes', <Words key="takes" text={setting.takes} />],
    ['Variable', <code key="variable">{setting.environmentName}</code>],
  ];
}
