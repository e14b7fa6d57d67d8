import type { LogNormalRiskModel, MarketObjects, SimpleRiskModel } from '../../data/nouns/markets.ts';
import { object, optional, required } from '../json-objects.ts';
import { decimals } from '../json-values.ts';
import type {
  LogNormalRiskModel as LogNormalMessage,
  SimpleRiskModel as SimpleMessage,
  TradableInstrument,
} from '../protocol/generated/markets_pb.ts';
import { decimalFromDouble } from '../values.ts';

/** What the risk factors of a market are computed by, from both sources; null where the network said nothing of it. */
export function fromRiskModel(
  riskModel: TradableInstrument['riskModel'] | undefined,
): Pick<MarketObjects, 'logNormalRiskModel' | 'simpleRiskModel'> {
  return {
    logNormalRiskModel: riskModel?.case === 'logNormalRiskModel' ? fromLogNormal(riskModel.value) : null,
    simpleRiskModel: riskModel?.case === 'simpleRiskModel' ? fromSimple(riskModel.value) : null,
  };
}

function fromLogNormal({ riskAversionParameter, tau, params }: LogNormalMessage): LogNormalRiskModel {
  const of = (name: string, value = 0) => decimalFromDouble(`logNormalRiskModel.${name}`, value);
  return {
    riskAversionParameter: of('riskAversionParameter', riskAversionParameter),
    tau: of('tau', tau),
    mu: of('mu', params?.mu),
    r: of('r', params?.r),
    sigma: of('sigma', params?.sigma),
  };
}

function fromSimple({ params }: SimpleMessage): SimpleRiskModel {
  const of = (name: keyof SimpleRiskModel) =>
    decimalFromDouble(`simpleRiskModel.${name}`, params?.[name] ?? 0);
  return {
    factorLong: of('factorLong'),
    factorShort: of('factorShort'),
    maxMoveUp: of('maxMoveUp'),
    minMoveDown: of('minMoveDown'),
    probabilityOfTrading: of('probabilityOfTrading'),
  };
}

/** The same fields of a line of JSON. */
export const riskModelRules = {
  logNormalRiskModel: optional(
    object({
      riskAversionParameter: required(decimals),
      tau: required(decimals),
      mu: required(decimals),
      r: required(decimals),
      sigma: required(decimals),
    }),
  ),
  simpleRiskModel: optional(
    object({
      factorLong: required(decimals),
      factorShort: required(decimals),
      maxMoveUp: required(decimals),
      minMoveDown: required(decimals),
      probabilityOfTrading: required(decimals),
    }),
  ),
};
