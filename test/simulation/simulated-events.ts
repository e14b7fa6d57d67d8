import type { NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';

export function eventsOf(options: SimulationOptions) {
  return openSimulation(options).events(new AbortController().signal);
}

/** All events of a run, each with the height of its block. */
export async function collect(
  options: SimulationOptions,
): Promise<{ readonly event: NetworkEvent; readonly height: number }[]> {
  const events = [];
  for await (const { event, at } of eventsOf(options)) {
    events.push({ event, height: Number(at.replace('block ', '')) });
  }
  return events;
}
