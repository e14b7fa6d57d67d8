import { builder } from './builder.ts';
import { checkTime } from './times.ts';

export const DateRange = builder.inputType('DateRange', {
  description:
    'A range of times, in nanoseconds. It is open where an end is not given. A time that looks like seconds, milliseconds or microseconds is refused.',
  fields: (t) => ({
    startTimestamp: t.field({
      type: 'Timestamp',
      description: 'The start of the range, which is part of it.',
    }),
    endTimestamp: t.field({
      type: 'Timestamp',
      description: 'The end of the range, which is not part of it.',
    }),
  }),
});

export interface DateRangeArgs {
  readonly dateRange?: typeof DateRange.$inferInput | null | undefined;
}

/** The times of a range; null for an end that is not given. Throws INVALID_ARGUMENT for a time that is not in nanoseconds. */
export function readDateRange({ dateRange }: DateRangeArgs) {
  const read = (end: 'startTimestamp' | 'endTimestamp') => {
    const time = dateRange?.[end] ?? null;
    checkTime(`dateRange.${end}`, time);
    return time;
  };
  return { startTimestamp: read('startTimestamp'), endTimestamp: read('endTimestamp') };
}
