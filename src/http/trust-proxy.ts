import { BlockList, isIP } from 'node:net';

const NAMED_SUBNETS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads a text, such as an environment variable, as a value for Express's setting `trust proxy`: a number of proxies
 * from 1 to 99, or a list, separated by commas, of their addresses, their subnets and the names `loopback`, `linklocal`
 * and `uniquelocal`. `undefined`, an empty text, `0` and `false` stand for no proxy. Throws a TypeError for any other
 * text, also for `true`, with which every caller could choose the address under which the service counts its
 * requests.
 */
export function parseTrustProxy(text: string | undefined): false | number | string[] {
  const value = text?.trim() ?? '';
  if (['', '0', 'false'].includes(value)) return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const parts = value.split(',').map((part) => part.trim());
  if (parts.every(isProxy)) return parts;
  throw new TypeError('expected the number of proxies in front, or their addresses or subnets');
}

/** Whether the text is an address, a subnet, or the name that Express has for some subnets. */
function isProxy(text: string): boolean {
  if (NAMED_SUBNETS.includes(text)) return true;
  const [ip = '', bits, ...rest] = text.split('/');
  if (isIP(ip) === 0 || rest.length > 0) return false;
  const width = isIP(ip) === 4 ? 32 : 128;
  if (bits === undefined) return true;
  // Express refuses a subnet of all addresses.
  const isWidth = /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= width;
  return isWidth && !(width === 128 && hasAllIPv4(ip, Number(bits)));
}

/** Whether the IPv6 subnet contains every IPv4 address in the form `::ffff:192.0.2.1`. Express may trust all of them. */
function hasAllIPv4(ip: string, bits: number): boolean {
  const subnet = new BlockList();
  subnet.addSubnet(ip, bits, 'ipv6');
  return bits <= 96 && subnet.check('::ffff:0:0', 'ipv6');
}
