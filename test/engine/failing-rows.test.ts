import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

test('what fails of some rows, while others have their turn, is an error of the answer and ends no process', async () => {
  await using database = await createSimulatedDatabase({ seed: 6, blocks: 5, parties: 300, markets: 2 });
  await using gateway = await startTestGateway(database.url);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  for (const field of ['series(every: "bogus") { close }', 'history(first: -1) { nodes { balance } }']) {
    const { errors } = await gateway.graphql(`{ accounts(first: 1000) { nodes { ${field} } } }`);
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  }
  expect(unhandled).not.toHaveBeenCalled();
});
