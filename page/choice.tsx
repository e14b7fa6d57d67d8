import type { Signal } from '@preact/signals';

/** One of several, as filters and orders are chosen. */
export function Choice({ name, of, options }: ChoiceProps) {
  return (
    <label>
      <span>{name}</span>
      <select
        value={options.some(([value]) => value === of.value) ? of.value : options[0]?.[0]}
        onChange={(event) => {
          of.value = event.currentTarget.value;
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly of: Signal<string>;
  readonly options: readonly (readonly [value: string, text: string])[];
}
