/** The addresses of gateways as they are asked: "/" is that of the page. What is none is refused: it would be tried again for ever. */
export function addressesOf(url: string | readonly string[]): readonly string[] {
  const addresses = [url].flat();
  if (addresses.length === 0 || !addresses.every(isAddress)) throw new TypeError(`"${url}" is no address.`);
  return addresses.map((one) => one.replace(/\/+$/, ''));
}

/** Whether it can be asked at all, from here: "/" in a page alone. */
function isAddress(one: string): boolean {
  try {
    const { href } = new URL(one, globalThis.document?.baseURI ?? globalThis.location?.href);
    return /^(\w+:\/)?\//.test(one) && /^https?:/.test(href);
  } catch {
    return false;
  }
}
