import { createRandom } from './random.ts';

/*
 * Names that tell things apart, each given once: pairs of words in an order of the seed's, numbered when all pairs are given. The
 * first three letters of no two words of a list are the same, so that symbols made of them differ as the names do.
 */

const MATERIALS =
  'Amber Basalt Bronze Cedar Cobalt Copper Coral Crystal Ebony Flint Garnet Granite Indigo Ivory Jade Linen Maple Marble Nickel Onyx Opal Pearl Quartz Silver';
const THINGS =
  'Anchor Arch Beacon Bell Bridge Compass Crown Ferry Forge Garden Harbour Island Kettle Ladder Lantern Mill Oar Orchard Paddle Quarry Rudder Sail Tower Wagon';
const TEMPERS =
  'Able Bold Brave Brisk Calm Clever Curious Daring Eager Fair Gentle Honest Jolly Keen Lively Lucky Merry Nimble Patient Quiet Rosy Steady Swift Wise';
const ANIMALS =
  'Badger Beaver Bison Crane Curlew Dolphin Falcon Hare Heron Ibex Jackal Kestrel Lark Lynx Marten Newt Otter Owl Puffin Raven Seal Stork Vole Wren';

/** What the markets of a kind are called. */
interface MarketName {
  readonly code: string;
  readonly name: string;
}

export interface AssetName {
  readonly name: string;
  readonly symbol: string;
}

/** Gives each name once. */
export interface Names {
  /** Of the next asset that is proposed. */
  asset(): AssetName;
  /** What the next party that says something of itself calls itself. */
  alias(): string;
  /** The next market of a kind: the first has the kind's code, the others are numbered series. */
  market<Kind extends MarketName>(kind: Kind): Kind;
}

export function createNames(seed: string): Names {
  const assets = pairsInTurn(MATERIALS, THINGS, `${seed} names of assets`);
  const parties = pairsInTurn(TEMPERS, ANIMALS, `${seed} names of parties`);
  const series = new Map<string, number>();
  return {
    asset() {
      const { words, round } = assets();
      const letters = words.map((word) => word.slice(0, 3).toUpperCase()).join('');
      return { name: numbered(words.join(' '), round), symbol: letters + (round === 1 ? '' : round) };
    },
    alias() {
      const { words, round } = parties();
      return numbered(words.join(' '), round);
    },
    market(kind) {
      const number = 1 + (series.get(kind.code) ?? 0);
      series.set(kind.code, number);
      if (number === 1) return kind;
      return { ...kind, code: `${kind.code}-${number}`, name: `${kind.name}, series ${number}` };
    },
  };
}

/** Gives one pair after the other, and says in which round through all of them. */
function pairsInTurn(firsts: string, seconds: string, seed: string) {
  const random = createRandom(seed);
  const pairs = firsts.split(' ').flatMap((first) => seconds.split(' ').map((second) => [first, second]));
  const left = [...pairs];
  const order = pairs.flatMap(() => left.splice(random.below(left.length), 1));
  let given = 0;
  return () => {
    const [words = [], round] = [order[given % order.length], 1 + Math.floor(given / order.length)];
    given += 1;
    return { words, round };
  };
}

function numbered(name: string, round: number): string {
  return round === 1 ? name : `${name} ${round}`;
}
