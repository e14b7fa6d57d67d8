import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { readQuantity } from './decimals.ts';
import { firstMarket, question, suggestPosition, whyNoPosition } from './estimate.ts';
import { EstimateAnswer } from './estimate-answer.tsx';
import { isOver, type Market, markets } from './network.ts';

/** Asks what margin a position would need, and where it would be closed out. */
export function EstimateForm() {
  return (
    <section aria-labelledby="estimate" class="estimate">
      <h2 id="estimate">Estimate of a position</h2>
      {firstMarket.value === null ? <EstimateAnswer /> : <Form first={firstMarket.value} />}
    </section>
  );
}

function Form({ first }: { readonly first: string }) {
  const marketId = useSignal(first);
  const side = useSignal<'long' | 'short'>('long');
  const volume = useSignal('');
  const collateral = useSignal('');
  const problem = useSignal('');
  const market = markets.value.get(marketId.value);
  const reason = whyNoPosition(market);
  const open = [...markets.value.values()].filter((one) => !isOver(one) || one === market);

  const choose = (id: string) => {
    marketId.value = id;
    const chosen = markets.peek().get(id);
    if (chosen === undefined) return;
    if (whyNoPosition(chosen) !== null) {
      question.value = null;
      return;
    }
    const suggested = suggestPosition(chosen);
    volume.value = suggested.volume;
    collateral.value = suggested.collateral;
    problem.value = ask(chosen, side.peek(), suggested.volume, suggested.collateral);
  };
  const submit = () => {
    if (market) problem.value = ask(market, side.value, volume.value, collateral.value);
  };
  // An example at once, before anybody has filled in anything.
  useSignalEffect(() => {
    if (volume.value === '') choose(marketId.peek());
  });

  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field name="Market">
          <select
            name="market"
            value={marketId.value}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {open.map(({ market, marketNode }) => (
              <option key={market} value={market}>
                {marketNode?.instrumentCode || market}
              </option>
            ))}
          </select>
        </Field>
        {reason === null && (
          <>
            <Field name="Side">
              <select
                name="side"
                value={side.value}
                onChange={(event) => {
                  side.value = event.currentTarget.value === 'short' ? 'short' : 'long';
                  submit();
                }}
              >
                <option value="long">Long</option>
                <option value="short">Short</option>
              </select>
            </Field>
            <Field name="Volume">
              <input
                name="volume"
                inputMode="decimal"
                autocomplete="off"
                value={volume.value}
                onInput={(event) => {
                  volume.value = event.currentTarget.value;
                }}
              />
            </Field>
            <Field
              name={`Collateral, ${market?.marketNode?.settlementAssetNode?.symbol ?? 'smallest units'}`}
            >
              <input
                name="collateral"
                inputMode="decimal"
                autocomplete="off"
                value={collateral.value}
                onInput={(event) => {
                  collateral.value = event.currentTarget.value;
                }}
              />
            </Field>
            <button type="submit">Estimate</button>
          </>
        )}
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </form>
      {reason === null ? <EstimateAnswer /> : <p class="answer quiet">{reason}</p>}
    </>
  );
}

function Field({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label>
      <span>{name}</span>
      {children}
    </label>
  );
}

/** Asks the question that a person wrote, or says what is wrong with it; empty where nothing is. */
function ask(
  { market, marketNode }: Market,
  side: 'long' | 'short',
  volume: string,
  collateral: string,
): string {
  const places = marketNode?.positionDecimalPlaces ?? 0;
  const units = readQuantity(volume, places);
  if (units === null || units.startsWith('-')) {
    return places < 0
      ? `The volume must be a number of ${'1'.padEnd(1 - places, '0')}s.`
      : `The volume must be a number with at most ${places} decimals.`;
  }
  const decimals = marketNode?.settlementAssetNode?.decimals ?? 0;
  const amount = readQuantity(collateral, decimals);
  if (amount === null || amount.startsWith('-'))
    return `The collateral must be a number with at most ${decimals} decimals.`;
  const openVolume = side === 'short' && units !== '0' ? `-${units}` : units;
  question.value = { marketId: market, openVolume, collateral: amount };
  return '';
}
