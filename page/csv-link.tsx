import { csvHref, type Export } from './csv.ts';

/** Gives all rows of a list as CSV. */
export function CsvLink({ of, title }: { readonly of: Export; readonly title: string }) {
  return (
    <a class="tool" href={csvHref(of)} title={`All rows of “${title}” as CSV`} download>
      CSV<span class="unseen"> of {title}</span>
    </a>
  );
}
