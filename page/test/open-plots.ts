import { rolldown } from 'rolldown';
import { type Appearance, type OpenPage, openPage } from '../../test/support/open-page.ts';

/** Opens plots alone (`plots-page.tsx`) as the gateway's page: its document, its style and its policy, with another script. */
export async function openPlots(
  gateway: { readonly url: string },
  of: Readonly<Record<string, string>>,
  appearance: Appearance = {},
): Promise<OpenPage> {
  const open = await openPage('about:blank', appearance);
  const script = await bundlePlots();
  await open.page.route('**/page/main.js', (route) =>
    route.fulfill({ body: script, contentType: 'text/javascript; charset=utf-8' }),
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
