import { csvHref, type Export } from './csv.ts';

/** Gives all rows of a list as CSV. */
export function CsvLink({ of, title, heldAt = null }: CsvLinkProps) {
  return (
    <a class="tool" href={csvHref(of, heldAt)} title={`All rows of “${title}” as CSV`} download>
      CSV<span class="unseen"> of {title}</span>
    </a>
  );
}

interface CsvLinkProps {
  readonly of: Export;
  readonly title: string;
  /** The block that its rows are as of, where that is not the one that everything is shown as of. */
  readonly heldAt?: string | null;
}
