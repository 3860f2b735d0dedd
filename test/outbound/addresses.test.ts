/** Which addresses count as public. */
import { isPublicAddress } from '../../src/outbound/addresses';

it.each(['::7f00:1', '::2', '1fff::1', '4000::1', 'e000::1', 'fec0::1', '::ffff:7f00:1', '2001:db8::1'])(
  '%s is not public',
  (address) => expect(isPublicAddress(address)).toBe(false),
);

it.each(['2606:4700::1', '2a00:1450:4001:80b::200e', '3000::1', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);
