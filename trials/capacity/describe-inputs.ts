import type { Checked } from './check/checked.ts';
import type { Costs, Work } from './costs.ts';
import { type Case, firstBeyond, limitsOf } from './limits.ts';
import type { Prices } from './prices.ts';
import { EVENT_BYTES, FOLLOWERS, MACHINES, MAINNET, REQUESTS, SCALES } from './scenarios.ts';
import { count, table, time } from './write-numbers.ts';

export function describeCosts({ from, ns, bytes, memory, noticeNs, relayedPerSecond }: Costs): string {
  const { machine } = from;
  const work = ({ process, database }: Work) => [time(process), database === 0 ? '' : time(database)];
  const rows = [
    ['a kept answer', ...work(ns.kept)],
    ['the same as 304', ...work(ns.notModified)],
    ['a row that nothing kept', ...work(ns.row)],
    ['a page of 20 that nothing kept', ...work(ns.page)],
    ['a message of 1 kB that many streams share', time(ns.message), ''],
    ['a change that one stream follows, with its reading', time(ns.change), ''],
    ['an event of a block, ingested', ...work(ns.event)],
    ['a block, relayed into the log', time(ns.relayedBlock), ''],
    ['the same, of its three servers', time(ns.loggedBlock), ''],
  ];
  const others = [
    `From a commit to the message at an idle client ${time(noticeNs)} (median); a relay puts ${count(relayedPerSecond)} blocks a second into the log.`,
    `An event is ${count(bytes.storedEvent)} bytes on disk and ${count(bytes.walEvent)} of PostgreSQL's log; market data is ${count(bytes.marketData)} bytes on the wire, a row ${count(bytes.row)}, a page of 20 ${count(bytes.page)}.`,
    `A process takes ${count(Math.round(memory.idle / 1e6))} MB, ${count(Math.round(memory.asked / 1e6))} MB once it is asked, and ${count(Math.round(memory.stream / 100) / 10)} kB for each stream.`,
  ];
  const where = `\`npm run bench${from.size === 'quick' ? ' -- --quick' : ''}\` on ${from.date}, commit ${from.commit}: ${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, load ${machine.load}, Node ${from.node}, PostgreSQL ${from.postgresql}.`;
  return `${where} Processor time:\n\n${table(['Work', 'Of the process', 'Of PostgreSQL'], rows)}\n\n${others.join('\n')}`;
}

export function describeAssumptions(): string {
  const lines = [
    `**The network** makes ${count(MAINNET.blocks)} blocks in ${MAINNET.days} days, as mainnet did, of ${MAINNET.eventsPerBlock} events of ${EVENT_BYTES} bytes each: the most that recorded networks have on average. A hundred times that is a hundred times the blocks; with blocks a hundred times as large followers would be told less often, and the rest would be the same.`,
    `**Followers**: ${FOLLOWERS.ofMarketsPercent} of a hundred follow one of ${FOLLOWERS.markets} markets, of which each block has news (${count(FOLLOWERS.messageBytes)} bytes), and a proxy sends those of one market to the same gateways, so that a process makes the news of ${FOLLOWERS.marketsOfProcess}; the others follow their own accounts, ${FOLLOWERS.accountsPerBlock} of which a block changes.`,
    `**Requests**: ${REQUESTS.sharedPercent} of a hundred are the same for many (${count(REQUESTS.sharedAddresses)} addresses, ${REQUESTS.cachesPerRegion} caches in front in each region), ${REQUESTS.keptPercent} are a client's own, asked again before a block changed them, half of them with \`If-None-Match\`, and ${REQUESTS.coldPercent} nobody asked before: half of them a row, half a page of 20.`,
    `**Machines**: processors are busy for ${MACHINES.busyPercent} of a hundred (the model below says why). A process has at most ${count(MACHINES.streamsPerProcess)} streams, as more were never measured; a gateway ${MACHINES.processesPerGateway} processes, with a pool of ${MACHINES.poolSize}; a database server ${MACHINES.coresPerServer} cores, ${MACHINES.databaseGbPerCore} GB for each that is used. Each region has a writer, and one database server more than reading takes. A region keeps ${MACHINES.historyDays} days, and the log, on ${MACHINES.logServers} servers, ${MACHINES.logDays}; by way of the log a block is on its way ${MACHINES.logWayMs} ms. Proxies, caches and TLS are not counted.`,
    `**Regions**: ${SCALES.map(({ name, regions }) => `${regions} for ${name}`).join(', ')}.`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

export function describePrices({ date, currency, cents }: Prices): string {
  const rows = [
    ['a core, a month', price(cents.coreMonth)],
    ['a GB of memory, a month', price(cents.memoryGbMonth)],
    ['a GB of disk, a month', price(cents.diskGbMonth)],
    ['a thousand GB to clients', price(cents.terabyteOut)],
  ];
  return `**Prices are assumptions, one for each unit, of ${date}.** They are nobody's offer: who buys much pays less, and who rents by the hour more.\n\n${table(['Unit', currency], rows)}`;
}

/** `20.00` */
function price(cents: number): string {
  return `${count(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}

export function describeLimits(costs: Costs, cases: readonly Case[]): string {
  const rows = limitsOf(costs).map((limit) => {
    const first = firstBeyond(limit, cases);
    const binds =
      first === null
        ? `not here (at most ${count(cases.map(limit.asked).reduce((most, one) => (one > most ? one : most), 0n))})`
        : `${describeCase(first)}: ${count(limit.asked(first))}`;
    return [limit.engine, limit.what, count(limit.most), binds, limit.remedy, limit.source];
  });
  return table(['Engine', 'Limit', 'At most', 'Binds first at', 'Then', 'Source'], rows);
}

function describeCase({ kind, scale, volume }: Case): string {
  return `${scale.name} ${kind === 'followers' ? 'followers' : 'requests a second'}${volume === 1n ? '' : `, ${volume} x the blocks`}`;
}

export function describeChecked(checked: Checked | null): string {
  if (checked === null) return 'No run was kept.';
  const { date, commit, machine, figures } = checked;
  const rows = figures.map(({ what, model, measured, isHeld }) => [
    what,
    model,
    measured,
    isHeld ? 'held to 20 %' : 'shown',
  ]);
  return `On ${date}, commit ${commit}, ${machine.cores} x ${machine.cpu}, load ${machine.load}:\n\n${table(['', 'Model', 'Measured', ''], rows)}`;
}
