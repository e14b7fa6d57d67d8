import { readChecked } from './check/checked.ts';
import { type Costs, readCosts } from './costs.ts';
import {
  describeAssumptions,
  describeChecked,
  describeCosts,
  describeLimits,
  describePrices,
} from './describe-inputs.ts';
import { describeBusy, describeWay } from './describe-model.ts';
import { describeNeeds } from './describe-needs.ts';
import type { Case } from './limits.ts';
import { type Prices, readPrices } from './prices.ts';
import { SCALES, VOLUMES } from './scenarios.ts';
import { sizeFollowers, sizeRequests } from './size.ts';

/** Where it is written: npm run capacity. */
export const DOCUMENT = 'docs/capacity.md';

/** All of docs/capacity.md, of the files that are there. The same files give the same text on every machine. */
export function writeDocument(): string {
  const [costs, prices, checked] = [readCosts(), readPrices(), readChecked()];
  const cases = listCases(costs, prices);
  const of = (kind: Case['kind']) => cases.filter((one) => one.kind === kind);
  const parts = [
    INTRODUCTION,
    `## What is measured\n\n${describeCosts(costs)}`,
    `## What is assumed\n\n${describeAssumptions()}\n\n${describePrices(prices)}`,
    `## Followers\n\n${FOLLOWERS_TEXT}\n\n${describeNeeds(of('followers'), prices)}`,
    `## Requests a second\n\n${REQUESTS_TEXT}\n\n${describeNeeds(of('requests'), prices)}`,
    `## Where published limits bind\n\n${LIMITS_TEXT}\n\n${describeLimits(costs, cases)}`,
    `## The model\n\n${MODEL_TEXT}\n\n${describeBusy(costs)}\n\n${WAY_TEXT}\n\n${describeWay(of('followers'), costs)}`,
    `## Held to a run\n\n${CHECK_TEXT}\n\n${describeChecked(checked)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function listCases(costs: Costs, prices: Prices): readonly Case[] {
  return SCALES.flatMap((scale) =>
    VOLUMES.flatMap((volume): readonly Case[] => [
      { kind: 'followers', scale, volume, need: sizeFollowers(scale, volume, costs, prices) },
      { kind: 'requests', scale, volume, need: sizeRequests(scale, volume, costs, prices) },
    ]),
  );
}

const INTRODUCTION = `# Capacity, on paper

What it would take to serve ten thousand, a million and a hundred million, computed from what was measured on one small machine. None of
the larger sizes was ever run. \`npm run capacity\` writes this page from \`trials/capacity/costs.json\`, which
\`npm run bench -- --capacity\` measures anew, and \`trials/capacity/prices.json\`; what is assumed is in \`trials/capacity/scenarios.ts\`. Put
in your own prices and machines' costs before you believe any of it.`;

const FOLLOWERS_TEXT =
  'Each has a connection of its own. What equal streams are told is made once in each process, so that the messages themselves are what counts, and in money what leaves for clients.';

const REQUESTS_TEXT =
  'Of what is the same for all, caches in front ask each address once a second ([replicas](replicas.md#a-cache-in-front)), however many ask them. Connections are those of clients that ask once in ten seconds, without those of the caches.';

const LIMITS_TEXT =
  'What others publish is what holds unless something is set; the first of the cases above that asks for more is named. A limit that binds asks for a setting or for one more of the same, and for nothing else.';

const MODEL_TEXT = `A discrete-event model (\`trials/capacity/model/\`): core, relay and log, writer, database, the processes of a gateway, and those who ask, with the
costs above. Time is whole nanoseconds, and chance has a seed, so that every machine computes the same. Each station has one queue, and who comes first is
served first. What it leaves out: garbage collection, the wire, disks that do not keep up, admission (which refuses, where the
model queues), and what processors lose when all of them are busy.

One gateway of eight processes, and a database of as many cores, asked the mix that no cache in front answers. Times are of the queue and the work alone.`;

const WAY_TEXT = `From the end of a block at the core to its message at a client, with the gateways that the table of followers gives each region. Where a queue grows
is the station that is busiest.`;

const CHECK_TEXT = `\`npm run capacity -- --check\` starts a gateway on this machine, with blocks that come, followers and requests, for less than a minute. It
measures first what each kind of work costs alone, gives that to the model, and then holds the model's answer to all of them at once: it
fails where processor time or a median differs by more than 20 %. The 99th percentiles are shown and not held: on a machine that others use they are the
others' work, and with much of that the check may fail for it. \`--keep\` puts the figures here.`;
