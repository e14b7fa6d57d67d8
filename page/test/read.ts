import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The raw values of the amounts within. */
export async function rawOf(place: ReturnType<Page['locator']>): Promise<string[]> {
  return place
    .locator('data.amount')
    .evaluateAll((amounts) => amounts.map((amount) => amount.getAttribute('value') ?? ''));
}

/** A panel by its heading's id. */
export function section(page: Page, heading: string) {
  return page.locator(`section[aria-labelledby="${heading}"]`);
}

/** What axe finds on the page as it is. */
export async function findings(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))`,
  );
}

/** Keeps back what is asked with such a body; each is let go by calling it. */
export async function holdBack(page: Page, body: RegExp): Promise<(() => void)[]> {
  const held: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (body.test(route.request().postData() ?? ''))
      await new Promise<void>((resolve) => held.push(() => resolve()));
    await route.continue();
  });
  return held;
}

/** What an answer that has come changes is shown by then. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))');
}
