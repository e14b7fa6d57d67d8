import { expect, test } from 'vitest';
import type { PerpetualData } from '../../src/data/nouns/market-data.ts';
import { describeRest } from '../../src/reference/openapi.ts';
import { createValidator } from '../reference/json-schemas.ts';
import { applyFirstBlock, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';

const TERMS = { assetDecimals: 5, marketDecimals: 5, positionDecimalPlaces: 0 };

/** What a network told of a perpetual's funding: nothing, a part, and all of it. */
const TOLD = {
  nothing: { fundingPayment: null, fundingRate: null },
  payment: { fundingPayment: '-7', fundingRate: null },
  rate: { fundingPayment: null, fundingRate: '0.01' },
  both: { fundingPayment: '0', fundingRate: '0' },
};
const NAMES = Object.keys(TOLD) as (keyof typeof TOLD)[];

const document = describeRest();
const validate = createValidator(document);

const events = NAMES.flatMap((name) => marketEvents(name, TERMS).map((event) => told(event, TOLD[name])));
const gateway = await forAllTests(startOwnGateway((url) => applyFirstBlock(url, events)));

function told(
  event: ReturnType<typeof marketEvents>[number],
  funding: Pick<PerpetualData, 'fundingPayment' | 'fundingRate'>,
) {
  if (event.type !== 'marketData') return event;
  const perpetualData: PerpetualData = {
    ...funding,
    ...{ internalTwap: '3', externalTwap: '4', seqNum: null, startTime: null, internalCompositePrice: null },
    ...{ nextInternalCompositePriceCalc: null, internalCompositePriceType: null },
    ...{ underlyingIndexPrice: null, internalCompositePriceState: null },
  };
  return { ...event, row: { ...event.row, productData: { perpetualData } } };
}

/** As the documented paths have it: a text that is absent is empty. */
function shownOf(name: keyof typeof TOLD) {
  const { fundingPayment, fundingRate } = TOLD[name];
  return {
    fundingPayment: fundingPayment ?? '',
    fundingRate: fundingRate ?? '',
    internalTwap: '3',
    externalTwap: '4',
  };
}

interface Row {
  readonly market: string;
  readonly productData: { readonly perpetualData: object };
}

function fundingOf(rows: readonly Row[]) {
  return Object.fromEntries(rows.map(({ market, productData }) => [market, productData.perpetualData]));
}

const ALL = Object.fromEntries(NAMES.map((name) => [marketIdOf(name), shownOf(name)]));

test.each(['', 'asOf=1'])(
  'funding that was not told is empty text, in the shape of OpenAPI, %s',
  async (asOf) => {
    const get = async (path: string, query = '', template = path) => {
      const { status, body } = await gateway.rest(`${path}?${query}&${asOf}`);
      const { schema } = (document.paths as Documented)[template].get.responses[200].content[
        'application/json'
      ];
      expect([status, validate(schema, body)]).toEqual([200, []]);
      return body;
    };
    for (const name of NAMES) {
      const id = marketIdOf(name);
      const latest = await get(
        `/api/v2/market/data/${id}/latest`,
        '',
        '/api/v2/market/data/{marketId}/latest',
      );
      expect(fundingOf([latest.marketData])).toEqual({ [id]: shownOf(name) });
      const history = await get(`/api/v2/market/data/${id}`, '', '/api/v2/market/data/{marketId}');
      expect(fundingOf(nodesOf(history.marketData))).toEqual({ [id]: shownOf(name) });
    }
    const { marketsData } = await get('/api/v2/markets/data');
    expect(fundingOf(marketsData)).toEqual(ALL);
    if (asOf !== '') return;
    const { changes } = await get('/api/v2/changes', 'nouns=marketData');
    expect(
      fundingOf(nodesOf<{ marketData: Row[] }>(changes).flatMap(({ marketData }) => marketData)),
    ).toEqual(ALL);
  },
);

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into by path.
type Documented = any;

function nodesOf<Node = Row>({ edges }: { edges: readonly { readonly node: Node }[] }): readonly Node[] {
  return edges.map(({ node }) => node);
}

test('so it is in exports and streams', async () => {
  const linesOf = async (path: string) => {
    const answer = await fetch(`${gateway.url}${path}?format=ndjson`);
    return (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  expect(fundingOf(await linesOf('/api/v2/markets/data'))).toEqual(ALL);
  const id = marketIdOf('rate');
  expect(fundingOf(await linesOf(`/api/v2/market/data/${id}`))).toEqual({ [id]: shownOf('rate') });
  const stream = await openNdjson(gateway.url, '/api/v2/stream/changes?nouns=marketData');
  const { result } = (await stream.next()) as { result: { snapshot: { marketData: Row[] } } };
  expect(fundingOf(result.snapshot.marketData)).toEqual(ALL);
  stream.close();
});

test('GraphQL says null of it', async () => {
  const { data } = await gateway.graphql(
    '{ marketsData { nodes { market productData { perpetualData { fundingPayment fundingRate } } } } }',
  );
  expect(fundingOf(data.marketsData.nodes)).toEqual(
    Object.fromEntries(NAMES.map((name) => [marketIdOf(name), TOLD[name]])),
  );
});
