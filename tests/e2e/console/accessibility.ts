import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds in a page, in either theme. Leaves it in the dark one. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await look(axeOn(page));
  await page.emulateMedia({ colorScheme: 'dark' });
  // All that a theme changes is colours.
  return [...light, ...(await look(axeOn(page).withRules('color-contrast')))];
}

/** In the page itself. Another way is for pages within pages, and opens an empty one each time. */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode();
}

async function look(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}
