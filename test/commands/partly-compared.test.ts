import { describe, expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask, WRITES_BLOCKS } from '../support/state.ts';

/** What `digest` and `verify` say of what is not wholly there. */

const BLOCKS = 60;
const NETWORK = { seed: 12, blocks: BLOCKS, parties: 20, markets: 2 };

const first = await forAllTests(createSimulatedDatabase(NETWORK));
const second = await forAllTests(createSimulatedDatabase(NETWORK));

describe('where there is no digest of a state', () => {
  const noState = 'gives no digest of its state: ';

  test('of a gateway, verify says what the blocks are, and why the states were not compared', async () => {
    await ask(second.url, forgetPast(50));
    await using gateway = await startTestGateway(second.url);
    const { code, stdout, stderr } = await run(['verify', gateway.url, '--at', '33']);
    const reason = `The states were not compared. ${gateway.url} ${noState}What was at block 33 is not kept: the first block that can be asked about is 50.`;
    expect([code, stderr]).toEqual([1, `periscope: ${reason}\n`]);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `At block 33, the blocks of ${gateway.url} and the server at DATABASE_URL are the same.`,
      'All blocks up to there are equal.',
    ]);
    expect(stdout).toContain(`\n${reason}\n`);

    const json = await run(['verify', gateway.url, '--at', '33', '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      expect.objectContaining({
        ...{ chain: { isEqual: true }, states: [null, null], differing: [] },
        refused: [expect.stringContaining(noState)],
      }),
    ]);
    await ask(second.url, forgetPast(0));
  });

  test('as rows were dropped, the digests of blocks are there, and blocks alone are compared', async () => {
    await using dropped = await createSimulatedDatabase(NETWORK);
    await ask(dropped.url, `UPDATE networks SET kept_from_of = '{"rewards": ${50 * 2 ** 20}}'`);
    const whole = JSON.parse((await run(['digest', '--json'])).stdout);
    const reason = `${noState}The rewards before block 50 were dropped`;
    for (const [args, height] of [
      [[], BLOCKS],
      [['--at', `${BLOCKS}`], BLOCKS],
    ] as const) {
      const { code, stdout, stderr } = await run(['digest', ...args], dropped.url);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(stdout).toMatch(
        new RegExp(`^block ${height}\nblocks +${whole.block}\nstate +the server .*${reason}`),
      );
    }
    const { code, stdout } = await run(['digest', '--blocks', '--json'], dropped.url);
    expect([code, JSON.parse(stdout)]).toEqual([0, { height: `${BLOCKS}`, block: whole.block }]);

    const compared = await run(['verify', dropped.url]);
    expect([compared.code, compared.stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(compared.stdout).toContain('All blocks up to there are equal.\nThe states were not compared.');
    const blocks = await run(['verify', '--blocks', dropped.url]);
    expect([blocks.code, blocks.stdout]).toEqual([0, expect.stringMatching(/^At block 60, the blocks of /)]);
    expect(blocks.stdout).toContain('The states were not asked for.');
  });

  test('what differs in blocks is told as such', async () => {
    await using lost = await createSimulatedDatabase(NETWORK);
    await ask(lost.url, `UPDATE networks SET kept_from_of = '{"rewards": ${50 * 2 ** 20}}'`);
    await ask(lost.url, `${WRITES_BLOCKS}; DELETE FROM blocks WHERE height BETWEEN 21 AND 30`);
    for (const args of [[], ['--blocks']])
      expect(await run(['verify', lost.url, ...args])).toMatchObject({
        code: 5,
        stdout: expect.stringContaining('are not the same.'),
      });
  });
});

test('verify names the first block where the first are gone, also beside a gateway', async () => {
  await using lacking = await createSimulatedDatabase(NETWORK);
  await ask(lacking.url, `${WRITES_BLOCKS}; DELETE FROM blocks WHERE height <= 20`);
  await using gateway = await startTestGateway(second.url);
  for (const [args, url] of [
    [[lacking.url], first.url],
    [[gateway.url], lacking.url],
  ] as const) {
    const { code, stdout } = await run(['verify', ...args], url);
    expect([code, stdout]).toEqual([5, expect.stringContaining('are not the same.')]);
    expect(stdout).toMatch(/^the (database at|server at) \S+ has no block 1: its first is 21\.$/m);
    expect(stdout).not.toContain('All blocks up to there are equal.');
  }
});

function run(args: readonly string[], url = first.url) {
  return runProgram(args, { DATABASE_URL: url });
}

/** As the writer leaves it that keeps no past before a block. */
function forgetPast(height: number): string {
  return `UPDATE networks SET past_from = coalesce((SELECT last_position FROM blocks WHERE height = ${height}), 0)`;
}
