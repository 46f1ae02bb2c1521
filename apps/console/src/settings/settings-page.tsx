import { useState } from 'react';
import type { ConfigKey, ConfigSection, GetConfigResponse } from '@palyra/protocol';
import { Card, Empty, Field, Input, Page, Select, When, Words } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { Setting } from './setting.tsx';
import { type Wanted, isWanted } from './wanted.ts';

/** The configuration that is in force, and where each value came from. Read only: files are the source. */
export function SettingsPage() {
  const config = useAsk(['config'], (signal) => gateway.config.getConfig({}, { signal }));
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState<Wanted>('all');
  return (
    <Page title="Settings" says="What the gateway was started with, and where each value came from">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-[1fr_14rem]">
        <Field label="Find a setting">
          {(id) => (
            <Input
              id={id}
              type="search"
              value={text}
              placeholder="transport.listen, timeout…"
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Field label="Show">
          {(id) => (
            <Select
              id={id}
              value={wanted}
              onChange={({ target }) => setWanted(target.value === 'set' ? 'set' : 'all')}
            >
              <option value="all">All settings</option>
              <option value="set">Only what somebody set</option>
            </Select>
          )}
        </Field>
      </div>
      <Answer of={config} lines={10}>
        {(data) => <Sections data={data} choose={(key) => isWanted(key, text, wanted)} />}
      </Answer>
    </Page>
  );
}

interface SectionsProps {
  readonly data: GetConfigResponse;
  readonly choose: (key: ConfigKey) => boolean;
}

function Sections({ data, choose }: SectionsProps) {
  const shown = data.sections
    .map((section) => ({ section, keys: section.keys.filter(choose) }))
    .filter(({ keys }) => keys.length > 0);
  return (
    <>
      <p className="text-sm text-soft">
        Your file is <code className="wrap-anywhere">{data.file}</code>; change it with{' '}
        <code>palyra config set</code>. Files were read <When at={data.readAt} /> and count from the
        next start.
      </p>
      {shown.length === 0 ? <Empty title="No setting is like that" /> : null}
      {shown.map(({ section, keys }) => (
        <Section key={section.name} section={section} keys={keys} />
      ))}
    </>
  );
}

interface SectionProps {
  readonly section: ConfigSection;
  readonly keys: readonly ConfigKey[];
}

function Section({ section, keys }: SectionProps) {
  return (
    <Card title={`[${section.name}]`} padding="none">
      <p className="border-b border-line px-4 py-2 text-sm text-soft">
        <Words text={section.description} />
      </p>
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <Setting key={key.key} setting={key} />
        ))}
      </ul>
    </Card>
  );
}
