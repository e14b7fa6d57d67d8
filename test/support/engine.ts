import { Documents } from '../../src/engine/documents/documents.ts';
import { createPersistedOperations } from '../../src/engine/documents/persisted-operations.ts';
import { Engine, type EngineParts } from '../../src/engine/engine.ts';
import { OperationTimes } from '../../src/engine/operation-times.ts';
import type { GatewayServices } from '../../src/graphql/context.ts';
import { Admission, admissionLimits } from '../../src/http/limits/admission.ts';
import { Turns } from '../../src/http/limits/turns.ts';

/** The parts of an engine over these services that keeps nothing, limits nobody and has no streams. */
export function engineParts(services: GatewayServices): EngineParts {
  const limits = { admittedCost: 1e9, admissionWaitMs: 60_000, poolSize: 10, poolWaitMs: 60_000 };
  return {
    services,
    stored: createPersistedOperations(null),
    documents: new Documents(),
    kept: { find: () => undefined, ask: async (_, make, scope) => (await make(scope)).value },
    limiter: null,
    turns: new Turns(60_000),
    admission: new Admission(admissionLimits(limits)),
    times: new OperationTimes(null),
    subscribeFor: () => {
      throw new Error('no streams here');
    },
  };
}

/** An engine for a test that asks it in this process. */
export function createTestEngine(services: GatewayServices): Engine {
  return new Engine(engineParts(services));
}
