/** Collects what Node warns of from here to its disposal. */
export function collectWarnings(): Disposable & { readonly told: readonly Error[] } {
  const told: Error[] = [];
  const onWarning = (warning: Error) => void told.push(warning);
  process.on('warning', onWarning);
  return { told, [Symbol.dispose]: () => void process.off('warning', onWarning) };
}
