import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const INDEX = new URL('../src/index.ts', import.meta.url).pathname;

/** What a program that imports so much carries, minified and compressed, in bytes. */
async function sizeOf(imported: string): Promise<number> {
  const entry = '\0entry';
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export { ${imported} } from ${JSON.stringify(INDEX)};` : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true });
  const [{ code }] = output;
  await bundle.close();
  return gzipSync(code).length;
}

test('what a program carries of the client is small', async () => {
  const [following, all] = (await Promise.all(
    ['followOver, serverSentEvents, accounts', 'follow, rows, accounts, changes'].map(sizeOf),
  )) as [number, number];
  console.info(`follow over one transport ${following} bytes, all ${all} bytes`);
  expect(following).toBeLessThan(4_200);
  expect(all).toBeLessThan(10_000);
});
