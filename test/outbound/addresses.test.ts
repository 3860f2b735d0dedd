import { isPublicAddress } from '../../src/outbound/addresses';

it.each([
  ['IPv4-compatible', '::8.8.8.8'],
  ['6to4', '2002:808:808::1'],
  ['the relays of 6to4', '192.88.99.1'],
  ['NAT64', '64:ff9b::808:808'],
  ['NAT64 of one network', '64:ff9b:1::808:808'],
  ['Teredo', '2001::1'],
  ['a mapped private address', '::ffff:10.0.0.1'],
  ['an address with a zone', '2606:4700::1%eth0'],
  ['translated', '::ffff:0:8.8.8.8'],
  ['ORCHID', '2001:20::1'],
  ['segment routing', '5f00::1'],
  ['documentation', '3fff::1'],
  ['benchmarks', '2001:2::1'],
])('%s, as %s, is not public', (_kind, address) => expect(isPublicAddress(address)).toBe(false));

it.each(['::7f00:1', '::2', '1fff::1', '4000::1', 'e000::1', 'fec0::1', '::ffff:7f00:1', '2001:db8::1'])(
  '%s is not public',
  (address) => expect(isPublicAddress(address)).toBe(false),
);

it.each(['2606:4700::1', '2a00:1450:4001:80b::200e', '3000::1', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);
