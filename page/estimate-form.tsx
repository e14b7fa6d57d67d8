import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { readQuantity } from './decimals.ts';
import { asked, firstMarket, question, suggestPosition, whyNoPosition } from './estimate.ts';
import { EstimateAnswer, Waiting } from './estimate-answer.tsx';
import { nameOfMarket } from './market-name.ts';
import { isOver, type Market, markets } from './network.ts';
import { Panel } from './panel.tsx';

/** Asks what margin a position would need, and where it would be closed out. */
export function EstimateForm() {
  return (
    <Panel
      id="estimate"
      title="Estimate of a position"
      kind="estimate"
      {...(asked.value && { asked: asked.value })}
    >
      {firstMarket.value === null ? <Waiting /> : <Form first={firstMarket.value} />}
    </Panel>
  );
}

function Form({ first }: { readonly first: string }) {
  const form = useForm(first);
  const market = markets.value.get(form.marketId.value);
  const reason = whyNoPosition(market);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <MarketField form={form} />
        {reason === null && <PositionFields form={form} market={market} />}
        <p class="problem" role="alert">
          {form.problem.value}
        </p>
      </form>
      {reason === null ? <EstimateAnswer /> : <p class="answer quiet">{reason}</p>}
    </>
  );
}

type FormState = ReturnType<typeof useForm>;

/** What a person has filled in, and what is asked with it. */
function useForm(first: string) {
  const marketId = useSignal('');
  const side = useSignal<'long' | 'short'>('long');
  const volume = useSignal('');
  const collateral = useSignal('');
  const problem = useSignal('');

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
    const market = markets.peek().get(marketId.value);
    if (market) problem.value = ask(market, side.value, volume.value, collateral.value);
  };
  // An example at once, and where the network began again without this market; only then: a field that somebody empties is theirs.
  const isThere = markets.value.has(marketId.value);
  useLayoutEffect(() => {
    if (!isThere) choose(first);
  }, [isThere]);
  return { marketId, side, volume, collateral, problem, choose, submit };
}

function MarketField({ form }: { readonly form: FormState }) {
  const chosen = form.marketId.value;
  const open = [...markets.value.values()].filter((one) => !isOver(one) || one.market === chosen);
  return (
    <Field name="Market">
      <select name="market" value={chosen} onChange={(event) => form.choose(event.currentTarget.value)}>
        {open.map(({ market, marketNode }) => (
          <option key={market} value={market}>
            {nameOfMarket(market, marketNode?.instrumentCode)}
          </option>
        ))}
      </select>
    </Field>
  );
}

function PositionFields({ form, market }: { readonly form: FormState; readonly market: Market | undefined }) {
  const unit = market?.marketNode?.settlementAssetNode?.symbol ?? 'smallest units';
  return (
    <>
      <Field name="Side">
        <select
          name="side"
          value={form.side.value}
          onChange={(event) => {
            form.side.value = event.currentTarget.value === 'short' ? 'short' : 'long';
            form.submit();
          }}
        >
          <option value="long">Long</option>
          <option value="short">Short</option>
        </select>
      </Field>
      <Field name="Volume">
        <QuantityInput name="volume" value={form.volume} />
      </Field>
      <Field name={`Collateral, ${unit}`}>
        <QuantityInput name="collateral" value={form.collateral} />
      </Field>
      <button type="submit">Estimate</button>
    </>
  );
}

function QuantityInput({ name, value }: { readonly name: string; readonly value: Signal<string> }) {
  return (
    <input
      name={name}
      inputMode="decimal"
      autocomplete="off"
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
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
      : `The volume must be a number with at most ${places} decimals after a point.`;
  }
  const decimals = marketNode?.settlementAssetNode?.decimals ?? 0;
  const amount = readQuantity(collateral, decimals);
  if (amount === null || amount.startsWith('-'))
    return `The collateral must be a number with at most ${decimals} decimals after a point.`;
  const openVolume = side === 'short' && units !== '0' ? `-${units}` : units;
  question.value = { marketId: market, openVolume, collateral: amount };
  return '';
}
