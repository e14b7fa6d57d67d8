import { numberAs, object, otherwise, type Reader, required, text, time } from './json-objects.ts';
import { ids } from './json-values.ts';
import { refusal, uint63 } from './values.ts';

/** The lines of JSON that are of no noun: the network, and the begin of a block. */
export const network = object({ chainId: required(ids) });

/** 2001-09-09. No network has a block from before, so that such a time is a mistake; 0 is none. */
const EARLIEST_BLOCK = 10n ** 18n;

const blockTime: Reader<bigint> = (path, value, context) => {
  const timestamp = time(path, value, context);
  if (timestamp !== 0n && timestamp < EARLIEST_BLOCK) {
    throw refusal(path, `${timestamp}`, 'is before 2001-09-09; times are nanoseconds since 1970');
  }
  return timestamp;
};

export const block = object({
  height: required(numberAs((field, value) => Number(uint63(field, value)))),
  timestamp: required(blockTime),
  hash: otherwise('', text),
});
