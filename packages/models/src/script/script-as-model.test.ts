import { systemClock } from '@palyra/kernel';
import { quietLog } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { createModel } from '../create-model.ts';
import { modelsSection } from '../models-section.ts';
import { HELLO } from '../testing/sample-request.fixture.ts';

it('the settings as they are give the script, which says what it is', async () => {
  using model = await createModel({
    settings: modelsSection.parse({}),
    environment: { OPENAI_API_KEY: 'never looked at' },
    workspaces: [],
    own: [],
    clock: systemClock(),
    log: quietLog(),
  });
  expect(model.name).toBe('script (not a language model)');
  expect(model.isScript).toBe(true);
  for await (const event of model.reply(HELLO, new AbortController().signal)) {
    expect(event).toMatchObject({ kind: 'text', text: expect.stringMatching(/^I /) });
    break;
  }
});
