import { readFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { type Appearance, type OpenPage, openPage } from '../../test/support/open-page.ts';

/** Opens plots alone (`plots-page.tsx`) as the gateway's page: its document and its policy, with another script and the sheet of plots. */
export async function openPlots(
  gateway: { readonly url: string },
  of: Readonly<Record<string, string>>,
  appearance: Appearance = {},
): Promise<OpenPage> {
  const open = await openPage('about:blank', appearance);
  const [script, sheet] = await Promise.all([bundlePlots(), readSheets()]);
  await open.page.route('**/page/main.js', (route) =>
    route.fulfill({ body: script, contentType: 'text/javascript; charset=utf-8' }),
  );
  await open.page.route('**/page/style.css', (route) =>
    route.fulfill({ body: sheet, contentType: 'text/css; charset=utf-8' }),
  );
  await open.page.goto(`${gateway.url}/?${new URLSearchParams(of)}`);
  return open;
}

async function bundlePlots(): Promise<string> {
  const bundle = await rolldown({
    input: 'page/test/plots-page.tsx',
    platform: 'browser',
    tsconfig: 'page/tsconfig.json',
    checks: { bundlerTimings: false },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output[0].code;
}

async function readSheets(): Promise<string> {
  const sheets = ['page/style.css', 'page/plots/plots.css'].map((path) => readFile(path, 'utf8'));
  return (await Promise.all(sheets)).join('\n');
}
