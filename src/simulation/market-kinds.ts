import type { MarketKind } from './state/markets.ts';
import { isNewer, type Network } from './state/network.ts';

/**
 * One kind for each slot, round and round. They settle in the settlement assets in turn: a third and a seventh
 * kind have prices finer than the asset (or none), a fourth and an eighth are traded by the thousand and million.
 */
const KINDS: readonly MarketKind[] = [
  kind('BTC/USD', 'Bitcoin', 5, 3, 3_000_000_000, 100, '0'),
  kind('ETH/DAI', 'Ether', 5, 2, 180_000_000, 300, '0.0001'),
  kind('UNI/JPY', 'Uniswap', 2, 0, 90_000, 500, '0'),
  kind('BONE/INU', 'Bone', 4, -3, 650_000_000, 20_000, '0'),
  kind('AAPL/USD', 'Apple', 2, 2, 17_500, 1_000, '0.00001'),
  kind('LINK/DAI', 'Chainlink', 8, 1, 750_000_000, 3_000, '0'),
  kind('GOLD/JPY', 'Gold', 0, 4, 290_000, 5_000, '0'),
  kind('FLOKI/INU', 'Floki', 12, -6, 2_500_000_000_000, 1_000_000, '0'),
];

/** Of newer releases: a future, a perpetual, a spot and a capped future in turn, settling as above. */
const NEWER_KINDS: readonly MarketKind[] = [
  kind('BTC/USD', 'Bitcoin', 5, 3, 3_000_000_000, 100, '0'),
  perpetual(kind('ETH/DAI', 'Ether', 5, 2, 180_000_000, 300, '0')),
  spot(kind('DAI/JPY', 'Dai', 2, 2, 15_000, 50_000, '0'), 2),
  capped(kind('BONE/INU', 'Bone', 4, -3, 650_000_000, 20_000, '0')),
  kind('AAPL/USD', 'Apple', 2, 2, 17_500, 1_000, '0'),
  perpetual(kind('LINK/DAI', 'Chainlink', 8, 1, 750_000_000, 3_000, '0')),
  spot(kind('INU/JPY', 'Inu', 12, -6, 250_000, 1_000_000, '0'), 4),
  capped(kind('FLOKI/INU', 'Floki', 12, -6, 2_500_000_000_000, 1_000_000, '0')),
];

/** What the market in a slot trades. */
export function marketKind(network: Pick<Network, 'release'>, slot: number): MarketKind {
  const kinds = isNewer(network) ? NEWER_KINDS : KINDS;
  const found = kinds[slot % kinds.length];
  if (!found) throw new RangeError(`no kind of market for slot ${slot}`);
  return found;
}

function kind(
  code: string,
  underlying: string,
  decimalPlaces: number,
  positionDecimalPlaces: number,
  price: number,
  lot: number,
  quadraticSlippageFactor: string,
): MarketKind {
  const [base = '', quote = ''] = code.split('/');
  const tags = [`base:${base}`, `quote:${quote}`, 'class:fx/crypto', 'sector:simulated'];
  const name = `${underlying} against ${quote}`;
  return {
    product: 'FUTURE',
    base: null,
    cap: null,
    code,
    name,
    quote,
    tags,
    decimalPlaces,
    positionDecimalPlaces,
    price,
    lot,
    quadraticSlippageFactor,
  };
}

function perpetual(future: MarketKind): MarketKind {
  return { ...future, product: 'PERPETUAL' };
}

function spot(future: MarketKind, base: number): MarketKind {
  const tags = future.tags.map((tag) => tag.replace('class:fx', 'class:spot'));
  return { ...future, product: 'SPOT', base, tags };
}

/** At twice the price that it begins with. */
function capped(future: MarketKind): MarketKind {
  return { ...future, cap: 2 * future.price };
}
