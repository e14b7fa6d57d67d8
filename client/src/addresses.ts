/** The addresses of gateways as they are asked: "/" is that of the page. What is none is refused: it would be tried again for ever. */
export function addressesOf(url: string | readonly string[]): readonly string[] {
  const addresses = [url].flat();
  if (addresses.length === 0 || addresses.some((one) => !/^(\w+:\/)?\//.test(one)))
    throw new TypeError(`"${url}" is no address.`);
  return addresses.map((one) => one.replace(/\/+$/, ''));
}
