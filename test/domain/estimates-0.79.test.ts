import { describe, expect, test } from 'vitest';
import { marginModes } from '../../src/domain/enumerations.ts';
import {
  EstimateInputError,
  UndefinedLiquidationPriceError,
  UntoldFactorError,
} from '../../src/domain/estimates/errors.ts';
import { estimateInMode, type ModeEstimate } from '../../src/domain/estimates/estimate-in-mode.ts';
import { estimateFee } from '../../src/domain/estimates/fees.ts';
import {
  type FeeVector079,
  feeInputOf,
  feeVectors079,
  hasVectors079,
  type PositionAnswer079,
  type PositionVector079,
  positionInputOf,
  positionVectors079,
} from '../support/estimates-0.79.ts';
import { networkAnswer } from '../support/network-answers.ts';

/*
 * Release 0.79.0's own estimates, to the last digit. Where that release is wrong (`estimateInMode` says where and why),
 * ours are held to the network's rules instead, which `../support/network-margins.ts` says once more.
 */

/** Full caps, of which all that have a position or orders: the levels, the order margin, what is lacking, the liquidation prices. */
const OTHER_WITH_A_FULL_CAP = [
  'P199 P200 P203 P205 P206 P208 P209 P211 P212 P214 P215 P217 P218 P220 P221 P223 P224 P226 P229 P230',
  'P232 P233 P235 P236 P238 P239 P241 P242 P244 P245 P247 P248 P250 P251 P253 P254 P256 P257 P259 P260',
  'P262 P263 P265 P266 P268 P269 P379 P380',
];

/** Isolated mode with limit orders, unless one alone opens the position or the position is not covered: the liquidation prices with them. */
const OTHER_WITH_LIMIT_ORDERS = ['P104 P105 P117 P126 P132 P135 P157 P158 P166 P167 P197 P304 P333 P371'];

describe("release 0.79's position estimates", () => {
  const answered = positionVectors079.filter((vector) => vector.answer !== undefined);

  test('are all here', ({ skip }) => {
    skip(!hasVectors079, 'no ../shared/data/estimates-0.79');
    expect(positionVectors079.length).toBeGreaterThanOrEqual(275);
  });

  test('are other than ours exactly where the release is wrong', ({ skip }) => {
    skip(positionVectors079.length !== 275, 'not the vectors that are listed');
    const others = answered.filter(({ answer, ...vector }) => !isEqual(answerTo(vector), answer));
    const listed = [...OTHER_WITH_A_FULL_CAP, ...OTHER_WITH_LIMIT_ORDERS].flatMap((ids) => ids.split(' '));
    expect(others.map(({ id }) => id)).toEqual(listed.sort());
  });

  test.each(answered)('$id ($group): as the release or the network says', (vector) => {
    expect(answerTo(vector)).toEqual(networkAnswer(vector));
  });

  test.each(positionVectors079.filter(({ error, id }) => error !== undefined && !isRefusedBefore(id)))(
    '$id: refused as there',
    (vector) => {
      const { message, details } = vector.error ?? { message: '', details: [] };
      const [type, field] = refusals[details[0]?.message ?? message] ?? [];
      const estimate = () => estimateInMode(positionInputOf(vector));
      expect(estimate).toThrow(type);
      if (field !== undefined) expect(estimate).toThrow(expect.objectContaining({ field }));
    },
  );
});

describe("release 0.79's fee estimates", () => {
  test('are all here', ({ skip }) => {
    skip(!hasVectors079, 'no ../shared/data/estimates-0.79');
    expect(feeVectors079.length).toBeGreaterThanOrEqual(93);
  });

  test.each(feeVectors079.filter((vector) => vector.answer !== undefined))(
    '$id ($group): the same to the last digit',
    (vector) => {
      expect(feesOf(vector)).toEqual(vector.answer?.fee);
    },
  );

  test.each(feeVectors079.filter(({ error, id }) => error !== undefined && !isRefusedBefore(id)))(
    '$id: refused as there',
    (vector) => {
      const reason = vector.error?.details[0]?.inner ?? '';
      const estimate = () => estimateFee(feeInputOf(vector));
      if (reason.startsWith('getting fee factors')) expect(estimate).toThrow(UntoldFactorError);
      else expect(estimate).toThrow(expect.objectContaining({ field: reason.replace('invalid order ', '') }));
    },
  );
});

/** What the formulas cannot be asked: ids that are none, a missing side, terms that the network has not sent, a spot market. */
function isRefusedBefore(id: string): boolean {
  return ['P382', 'P395', 'P400', 'P401', 'P403', 'F117', 'F118'].includes(id);
}

const refusals: Readonly<Record<string, readonly [new (...args: never[]) => Error, string?]>> = {
  'liquidation price not defined': [UndefinedLiquidationPriceError],
  "can't parse average entry price: ": [EstimateInputError, 'averageEntryPrice'],
  'invalid account balance': [EstimateInputError],
  'missing margin factor': [EstimateInputError, 'marginFactor'],
  'invalid order price': [EstimateInputError, 'orders[0].price'],
  "can't parse linear slippage factor: ": [UntoldFactorError],
  "can't parse margin funding factor: ": [UntoldFactorError],
  "can't parse funding payment from perpetual product data: ": [UntoldFactorError],
};

/** Our answer in the words of the release, which has empty texts for what there is none of. */
function answerTo(vector: PositionVector079): PositionAnswer079 {
  const { margin, collateralIncrease, liquidation } = estimateInMode(positionInputOf(vector));
  const levels = ({ marginMode, orderMargin, marginFactor, ...rest }: ModeEstimate['margin']['bestCase']) => ({
    ...rest,
    partyId: '',
    marketId: vector.request.marketId,
    asset: vector.asset.id,
    timestamp: '0',
    orderMargin: orderMargin ?? '',
    marginMode: marginModes.nameOf(marginMode),
    marginFactor: marginFactor ?? '',
  });
  return {
    margin: { worstCase: levels(margin.worstCase), bestCase: levels(margin.bestCase) },
    collateralIncreaseEstimate: collateralIncrease,
    liquidation,
  };
}

function feesOf(vector: FeeVector079): Readonly<Record<string, string>> {
  const { discounts, ...fees } = estimateFee(feeInputOf(vector));
  return { ...noDiscounts, ...fees, ...discounts, highVolumeMakerFee: '' };
}

const noDiscounts = {
  makerFeeVolumeDiscount: '',
  infrastructureFeeVolumeDiscount: '',
  liquidityFeeVolumeDiscount: '',
  makerFeeReferrerDiscount: '',
  infrastructureFeeReferrerDiscount: '',
  liquidityFeeReferrerDiscount: '',
};

function isEqual(ours: unknown, theirs: unknown): boolean {
  try {
    expect(ours).toEqual(theirs);
    return true;
  } catch {
    return false;
  }
}
