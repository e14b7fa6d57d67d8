import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Results } from '../../bench/report/results.ts';

/** Where the last run is kept that the model was held to. */
export const CHECKED = 'trials/capacity/checked.json';

/** A figure of the model beside the measured one, as both are told. */
export interface CheckedFigure {
  readonly what: string;
  readonly model: string;
  readonly measured: string;
  /** Whether the check fails where they differ by more than a fifth. */
  readonly isHeld: boolean;
}

export interface Checked extends Pick<Results, 'date' | 'commit' | 'machine'> {
  readonly figures: readonly CheckedFigure[];
}

export function readChecked(): Checked | null {
  return existsSync(CHECKED) ? (JSON.parse(readFileSync(CHECKED, 'utf8')) as Checked) : null;
}

export function writeChecked(checked: Checked): void {
  writeFileSync(CHECKED, `${JSON.stringify(checked, null, 2)}\n`);
}
