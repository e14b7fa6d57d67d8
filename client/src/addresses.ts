/** The addresses of gateways as they are asked. What is none is refused: it would be tried again for ever. */
export function addressesOf(url: string | readonly string[]): readonly string[] {
  const addresses = [url].flat().map((one) => one.replace(/\/+$/, ''));
  if (!addresses[0] || addresses.some((one) => !/^(\w+:\/)?\//.test(one)))
    throw new TypeError(`"${url}" is no address.`);
  return addresses;
}
