import { useId } from 'preact/hooks';

/** One of a few, all of them seen at once. */
export function RadioGroup({ name, options, value, onChoose }: RadioGroupProps) {
  const group = useId();
  return (
    <fieldset class="choice">
      <legend class="unseen">{name}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={group} checked={option === value} onChange={() => onChoose(option)} />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface RadioGroupProps {
  readonly name: string;
  readonly options: readonly string[];
  readonly value: string;
  onChoose(option: string): void;
}
